import { MessagesOfPlaces } from '../../db/read-state/messages-of-places.ts'
import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { ofArchived } from '../../domain/channels/channel-update.ts'
import type { UserId } from '../../domain/ids.ts'
import type { User } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { ChannelRights, type FoundLists } from '../../permissions/access-channel.ts'
import { disappearance, except, knowersOf } from '../channels/channel-audience.ts'
import { markPlacesRead } from '../messages/mark-read.ts'
import { addMetInChannel, announceUsersLost, type UsersByViewer } from '../users/user-visibility.ts'

export interface UnsubscribeResult {
  /** Channels to which each user was subscribed until now; users without one are left out. */
  readonly removed: ReadonlyMap<UserId, readonly Channel[]>
  /** Channels to which each user was not subscribed anyway. */
  readonly notSubscribed: ReadonlyMap<UserId, readonly Channel[]>
}

/**
 * Ends the subscriptions of all of `users` to all of `channels`, and announces it: to the user, to those who may no
 * longer know the channel, and to everybody who sees the list of subscribers. The subscription periods end at exactly
 * this position of the log: a user unsubscribed between two messages receives the first and not the second. Other
 * requests read in between (SEC-LOOP-4). The caller has checked permissions.
 */
export async function unsubscribeUsers(
  tx: Tx,
  channels: readonly Channel[],
  users: readonly User[],
): Promise<UnsubscribeResult> {
  const userIds = users.map((user) => user.id)
  const removed = new Map<UserId, Channel[]>()
  const notSubscribed = new Map<UserId, Channel[]>()
  const pauses = new Pauses()
  const changes: { channel: Channel; userIds: readonly UserId[] }[] = []
  for (const channel of channels) {
    const leaving = await tx.subscriptions.subscribedAmong(channel.id, userIds)
    const isLeaving = new Set(leaving)
    for (const id of userIds) {
      const lists = isLeaving.has(id) ? removed : notSubscribed
      const list = lists.get(id)
      if (list) list.push(channel)
      else lists.set(id, [channel])
    }
    await pauses.letOthers()
    if (leaving.length > 0) changes.push({ channel, userIds: leaving })
  }
  const messages = new MessagesOfPlaces(tx.session, 'channel_id', pauses)
  for (const user of users) {
    const left = removed.get(user.id) ?? []
    if (left.length === 0) continue
    // Otherwise their unread messages would be unread again after a new subscription.
    const leftIds = left.map(({ id }) => id)
    await markPlacesRead(tx, user, leftIds, messages)
    await pauses.letOthers()
  }
  for (const { channel, userIds: leaving } of changes) {
    await tx.subscriptions.unsubscribe(channel.id, leaving, await tx.events.lockedHead(), pauses)
  }
  appendOwn(tx, removed)
  const userOf = new Map(users.map((user) => [user.id, user]))
  for (const { channel, userIds: leaving } of changes) {
    const blind = leaving.filter((id) => {
      const user = userOf.get(id)
      return user && !new ChannelRights(user, channel, false, tx.organization).mayKnow
    })
    if (blind.length > 0) tx.events.append(disappearance(channel), { to: 'users', userIds: blind })
    await pauses.letOthers()
  }
  const lists: FoundLists = new Map()
  for (const { channel, userIds: leaving } of changes) {
    const knowers = await knowersOf(tx, channel, lists)
    const peers = { type: 'subscription', op: 'peer_remove', stream_ids: [channel.id], user_ids: [...leaving] } as const
    tx.events.append(
      { ...peers, ...ofArchived(channel) },
      // A single user who leaves already knows; several users must learn about each other.
      leaving.length === 1 ? except(knowers, leaving) : knowers,
    )
    await pauses.letOthers()
  }
  if (!tx.organization.limitsVisibility) return { removed, notSubscribed }
  const lost: UsersByViewer = new Map()
  for (const { channel, userIds: leaving } of changes) {
    const left = leaving.flatMap((id) => userOf.get(id) ?? [])
    await addMetInChannel(tx, lost, channel.id, left, pauses)
  }
  announceUsersLost(tx, lost)
  return { removed, notSubscribed }
}

/** Users who left the same channels share an event. */
function appendOwn(tx: Tx, removed: ReadonlyMap<UserId, readonly Channel[]>): void {
  const byChannels = Map.groupBy(removed, ([, channels]) => channels.map(({ id }) => id).join())
  for (const group of byChannels.values()) {
    for (const channels of Map.groupBy(group[0]?.[1] ?? [], ({ isArchived }) => isArchived).values()) {
      const subscriptions = channels.map(({ id, name }) => ({ stream_id: id as number, name }))
      tx.events.append(
        { type: 'subscription', op: 'remove', subscriptions, ...ofArchived(...channels) },
        { to: 'users', userIds: group.map(([userId]) => userId) },
      )
    }
  }
}
