import type { Readers, Tx } from '../db/repositories.ts'
import {
  type CustomEmoji,
  emojiPicturePath,
  noSuchEmoji,
  stillFileName,
  wireCustomEmojis,
} from '../domain/emoji/custom-emoji.ts'
import { isExtraEmoji } from '../domain/emoji/extra.ts'
import { emojiCodeOf } from '../domain/emoji/unicode.ts'
import { BadRequestError, NoSuchItemError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { MAX_CUSTOM_EMOJI, MAX_KEPT_EMOJI } from '../domain/limits.ts'
import { isWithinShare } from '../domain/share.ts'
import { hasRole } from '../domain/users/roles.ts'
import type { Actor } from '../permissions/actor.ts'
import { accountsOfPerson } from './users/accounts-of-person.ts'

/** @throws {BadRequestError} if `actor` may not add an emoji with this name, or nobody may */
export async function refuseNewEmoji(
  read: Pick<Readers, 'organization' | 'customEmoji' | 'users'>,
  actor: Actor,
  name: string,
): Promise<void> {
  const { organization } = read
  const known = await read.customEmoji.all()
  if (!organization.isIn(organization.settings.can_add_custom_emoji_group, actor))
    throw new BadRequestError('Insufficient permission')
  if (known.some((emoji) => emoji.name === name && !emoji.isDeactivated)) {
    throw new BadRequestError('A custom emoji with this name already exists.')
  }
  if ((isExtraEmoji(name) || emojiCodeOf(name) !== undefined) && !hasRole(actor.role, 'administrator')) {
    throw new BadRequestError('Only administrators can override default emoji.')
  }
  const holders = new Set<UserId | null>(await accountsOfPerson(read, actor))
  const isOwn = ({ authorId }: CustomEmoji) => holders.has(authorId)
  const inUse = known.filter(({ isDeactivated }) => !isDeactivated)
  for (const [which, all, most] of [
    ['', inUse, MAX_CUSTOM_EMOJI],
    [', with those that were deactivated', known, MAX_KEPT_EMOJI],
  ] as const) {
    const free = most - all.length - 1
    if (free < 0) throw new BadRequestError(`An organization has at most ${most} custom emoji${which}.`)
    if (hasRole(actor.role, 'administrator') || isWithinShare(all.filter(isOwn).length + 1, free)) continue
    throw new BadRequestError(`You have added as many custom emoji as leave room for others${which}.`)
  }
}

interface NewEmoji {
  readonly name: string
  readonly fileName: string
  readonly picture: Uint8Array
  /** Still picture of an animated one. */
  readonly still: Uint8Array | undefined
}

/** Adds an emoji with its pictures, and announces it. @throws {BadRequestError} */
export async function addCustomEmoji(
  tx: Tx,
  actor: Actor,
  { name, fileName, picture, still }: NewEmoji,
): Promise<void> {
  await refuseNewEmoji(tx, actor, name)
  await tx.pictures.insert(emojiPicturePath(fileName), picture)
  if (still) await tx.pictures.insert(emojiPicturePath(stillFileName(fileName), true), still)
  await tx.customEmoji.insert({ name, fileName, authorId: actor.id, isAnimated: still !== undefined })
  await tell(tx)
}

/** The picture stays, because messages and reactions show it. @throws {NoSuchItemError} {BadRequestError} */
export async function deactivateCustomEmoji(tx: Tx, actor: Actor, name: string): Promise<void> {
  const [emoji] = await tx.customEmoji.byNames([name])
  if (!emoji) throw new NoSuchItemError(noSuchEmoji(name))
  if (emoji.authorId !== actor.id && !hasRole(actor.role, 'administrator')) {
    throw new BadRequestError('Must be an organization administrator or emoji author')
  }
  await tx.customEmoji.deactivate(emoji.id)
  await tell(tx)
}

async function tell(tx: Tx): Promise<void> {
  const realm_emoji = wireCustomEmojis(await tx.customEmoji.all())
  tx.events.append({ type: 'realm_emoji', op: 'update', realm_emoji }, { to: 'everyone' })
}
