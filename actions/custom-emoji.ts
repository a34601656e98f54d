import type { Tx } from '../db/repositories.ts'
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
import { MAX_CUSTOM_EMOJI } from '../domain/limits.ts'
import type { OrganizationState } from '../domain/organization/organization-state.ts'
import { hasRole } from '../domain/users/roles.ts'
import type { Actor } from '../permissions/actor.ts'

/** @throws {BadRequestError} where `actor` may not add an emoji of this name, or nobody may */
export function refuseNewEmoji(
  organization: OrganizationState,
  actor: Actor,
  name: string,
  known: readonly CustomEmoji[],
): void {
  if (!organization.isIn(organization.settings.can_add_custom_emoji_group, actor))
    throw new BadRequestError('Insufficient permission')
  if (known.some((emoji) => emoji.name === name && !emoji.isDeactivated)) {
    throw new BadRequestError('A custom emoji with this name already exists.')
  }
  if ((isExtraEmoji(name) || emojiCodeOf(name) !== undefined) && !hasRole(actor.role, 'administrator')) {
    throw new BadRequestError('Only administrators can override default emoji.')
  }
  if (known.length >= MAX_CUSTOM_EMOJI) {
    throw new BadRequestError(`An organization has at most ${MAX_CUSTOM_EMOJI} custom emoji.`)
  }
}

interface NewEmoji {
  readonly name: string
  readonly fileName: string
  readonly picture: Uint8Array
  /** Of an animated one. */
  readonly still: Uint8Array | undefined
}

/** Adds an emoji with its pictures, and tells everybody. @throws {BadRequestError} */
export async function addCustomEmoji(
  tx: Tx,
  actor: Actor,
  { name, fileName, picture, still }: NewEmoji,
): Promise<void> {
  refuseNewEmoji(tx.organization, actor, name, await tx.customEmoji.all())
  await tx.pictures.insert(emojiPicturePath(fileName), picture)
  if (still) await tx.pictures.insert(emojiPicturePath(stillFileName(fileName), true), still)
  await tx.customEmoji.insert({ name, fileName, authorId: actor.id, isAnimated: still !== undefined })
  await tell(tx)
}

/** Its picture stays: messages and reactions have it. @throws {NoSuchItemError} {BadRequestError} */
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
