import type { Readers } from '../db/repositories.ts'
import { type Channel, hasReadersByGroup } from '../domain/channels/channel.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { isGuest } from '../domain/users/roles.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { ChannelRights, mayReadChannel, readersWithoutSubscription } from './access-channel.ts'
import type { Actor } from './actor.ts'

/**
 * Returns a channel for reading.
 *
 * @throws {BadRequestError} if it does not exist, or `actor` may not read it
 */
export async function accessChannelToRead(read: Readers, actor: Actor, id: ChannelId): Promise<Channel> {
  const channel = await read.channels.byId(id)
  if (!channel || !(await mayReadNow(read, actor, channel))) throw new BadRequestError('Invalid channel ID')
  return channel
}

/** Whether `actor` may read the channel, by a subscription, because it is public, or through its groups. */
export async function mayReadNow(read: Readers, actor: Actor, channel: Channel): Promise<boolean> {
  const isSubscribed = await read.subscriptions.isSubscribed(actor.id, channel.id)
  return (
    mayReadChannel(actor.role, channel, isSubscribed) || (await openedByGroups(read, actor, [channel])).has(channel.id)
  )
}

/** Returns the IDs of those of `channels` that `actor`, without a subscription, may read (see `openedAmong`). */
export async function openedByGroups(
  read: Readers,
  actor: Actor,
  channels: readonly Channel[],
): Promise<ReadonlySet<ChannelId>> {
  return new Set((await openedAmong(read, actor, channels)).map(({ id }) => id))
}

/**
 * Returns those of `channels` that `actor`, without a subscription, may read as a member of can_subscribe_group or
 * can_add_subscribers_group (level 354). Costs nothing if no channel has such groups.
 */
async function openedAmong<One extends Pick<Channel, 'inviteOnly' | 'creatorId' | 'groupSettings'>>(
  read: Readers,
  actor: Actor,
  channels: readonly One[],
): Promise<One[]> {
  const candidates = isGuest(actor.role) ? [] : channels.filter(hasReadersByGroup)
  if (candidates.length === 0) return []
  // The message may have been sent after another process took the actor out of the group.
  await read.upToDate()
  return candidates.filter((channel) => new ChannelRights(actor, channel, false, read.organization).mayRead)
}

/**
 * Returns everybody who can read the private channel through its groups, subscribed or not. Costs one look-up if it has
 * no such groups.
 */
export async function readersByGroups(read: Readers, id: ChannelId): Promise<readonly UserId[]> {
  const channel = await read.channels.byId(id)
  if (!channel || !hasReadersByGroup(channel)) return []
  return readersWithoutSubscription(read, channel)
}

/** Returns those of `userIds` who can read the channel now, subscribed or not. */
export async function readersAmong(
  read: Readers,
  channel: Channel,
  userIds: readonly UserId[],
  pauses = new Pauses(),
): Promise<ReadonlySet<UserId>> {
  const subscribed = new Set(await read.subscriptions.subscribedAmong(channel.id, userIds))
  const users = await read.users.byIds(userIds, pauses)
  const readers = users.filter(
    (user) => new ChannelRights(user, channel, subscribed.has(user.id), read.organization).mayRead,
  )
  return new Set(readers.map((user) => user.id))
}

/**
 * Returns all private channels that `actor` can read through groups, subscribed or not. Few channels have such groups,
 * and most of these the same ones.
 */
export async function openedChannelIds(read: Readers, actor: Actor): Promise<readonly ChannelId[]> {
  if (isGuest(actor.role)) return []
  const opened = await openedAmong(read, actor, await read.channels.withGroupReaders())
  return opened.flatMap(({ ids }) => ids)
}
