import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError, ChannelDoesNotExistError } from '../../domain/errors.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import type { User } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { findChannelByName } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { unsubscribeUsers } from './unsubscribe-users.ts'

/** Names of channels that a user left, and of channels that a user was not subscribed to anyway. */
export interface Left {
  readonly removed: string[]
  readonly not_removed: string[]
}

/**
 * Unsubscribes `users` from the channels of these names.
 *
 * @throws {ChannelDoesNotExistError} if no channel that `actor` may know has a name
 * @throws {BadRequestError} if `actor` may not unsubscribe one of the users from one of the channels
 */
export async function leaveChannels(
  tx: Tx,
  actor: Actor,
  names: readonly string[],
  users: readonly User[],
): Promise<Left> {
  const strangers = users.filter((user) => user.id !== actor.id && user.botOwnerId !== actor.id)
  const channels = new Map<string, Channel>()
  const pauses = new Pauses()
  for (const name of names) {
    await pauses.letOthers()
    const found = await findChannelByName(tx, actor, name)
    if (!found) throw new ChannelDoesNotExistError(name)
    if (strangers.length > 0 && !found.rights.mayRemoveOthers) throw new BadRequestError('Insufficient permission')
    channels.set(nameKey(name), found.channel)
  }
  const { removed, notSubscribed } = await unsubscribeUsers(tx, [...channels.values()], users)
  return { removed: namesOf(removed.values()), not_removed: namesOf(notSubscribed.values()) }
}

function namesOf(lists: Iterable<readonly Channel[]>): string[] {
  return [...new Set([...lists].flatMap((channels) => channels.map((channel) => channel.name)))]
}
