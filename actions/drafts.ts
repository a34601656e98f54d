import type { Readers } from '../db/repositories.ts'
import { type Draft, MAX_DRAFT_BYTES, MAX_DRAFTS } from '../domain/drafts/drafts.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { accessChannel } from '../permissions/access-channel.ts'
import { usersById } from '../permissions/access-user.ts'
import type { Actor } from '../permissions/actor.ts'
import type { OwnNoun } from './own-rows.ts'

type NewDraft = Omit<Draft, 'id'>

export const DRAFTS: OwnNoun<Draft> = {
  what: 'drafts',
  rows: (tx) => tx.drafts,
  most: { count: MAX_DRAFTS, bytes: MAX_DRAFT_BYTES },
  unknown: 'Draft does not exist',
  added: (drafts) => [{ type: 'drafts', op: 'add', drafts: [...drafts] }],
  updated: (draft) => ({ type: 'drafts', op: 'update', draft }),
  removed: (draft_id) => ({ type: 'drafts', op: 'remove', draft_id }),
}

/**
 * @throws {BadRequestError} naming a channel or user that the actor does not know; call it before the transaction,
 * because there may be many
 */
export async function accessRecipients(read: Readers, actor: Actor, drafts: readonly NewDraft[]): Promise<void> {
  const named = (type: Draft['type']) => [...new Set(drafts.flatMap((draft) => (draft.type === type ? draft.to : [])))]
  const pauses = new Pauses({ party: actor.id })
  for (const id of named('stream')) {
    await accessChannel(read, actor, id)
    await pauses.letOthers()
  }
  const ids = named('private')
  const known = await usersById(read, actor, ids)
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID ${unknown}`)
}

/** @throws {BadRequestError} if the user has turned off drafts on the server (DRAFT-6) */
export async function requireKeptDrafts({ users }: Pick<Readers, 'users'>, userId: UserId): Promise<void> {
  const { enable_drafts_synchronization: areKept } = await users.settingsOf(userId)
  if (!areKept) throw new BadRequestError('User has disabled synchronizing drafts.')
}
