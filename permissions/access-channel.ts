import type { Readers } from '../db/database.ts'
import type { Channel } from '../domain/channel.ts'
import { ChannelDoesNotExistError } from '../domain/errors.ts'
import type { ChannelId } from '../domain/ids.ts'
import { hasRole, isGuest, type Role } from '../domain/roles.ts'
import type { Actor } from './actor.ts'

export interface ChannelAccess {
  readonly channel: Channel
  readonly isSubscribed: boolean
}

type ChannelPrivacy = Pick<Channel, 'inviteOnly' | 'historyPublicToSubscribers'>

/** Whether the channel's messages may be read at all: subscribers, and members in public channels. */
export function mayReadChannel(
  role: Role,
  channel: Pick<ChannelPrivacy, 'inviteOnly'>,
  isSubscribed: boolean,
): boolean {
  return isSubscribed || (!channel.inviteOnly && !isGuest(role))
}

/** Whether messages from before one's own subscription may be read too. */
export function sharesHistory(channel: ChannelPrivacy): boolean {
  return !channel.inviteOnly || channel.historyPublicToSubscribers
}

/** Whether name and description may be known: administrators know of private channels without reading them. */
export function mayKnowChannel(
  role: Role,
  channel: Pick<ChannelPrivacy, 'inviteOnly'>,
  isSubscribed: boolean,
): boolean {
  return mayReadChannel(role, channel, isSubscribed) || hasRole(role, 'administrator')
}

/** Whether the list of subscribers may be seen: as the contract's peer events go (facts/events.md). */
export function maySeeSubscribers(
  role: Role,
  channel: Pick<ChannelPrivacy, 'inviteOnly'>,
  isSubscribed: boolean,
): boolean {
  return mayKnowChannel(role, channel, isSubscribed)
}

/**
 * The channel, by id or by name, if `actor` may send to it.
 * @throws {ChannelDoesNotExistError} also where it exists and the actor may not know
 */
export async function accessChannelToSend(
  read: Readers,
  actor: Actor,
  channel: number | string,
): Promise<ChannelAccess> {
  const found =
    typeof channel === 'number' ? await read.channels.byId(channel as ChannelId) : await read.channels.byName(channel)
  if (!found || found.isArchived) throw new ChannelDoesNotExistError(channel)
  const isSubscribed = await read.subscriptions.isSubscribed(actor.id, found.id)
  if (!mayReadChannel(actor.role, found, isSubscribed)) throw new ChannelDoesNotExistError(channel)
  return { channel: found, isSubscribed }
}
