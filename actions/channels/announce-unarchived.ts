import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { inheritedNotifications, toWireChannel, toWireSubscription } from '../../domain/channels/wire-channel.ts'
import type { Audience } from '../../domain/events/audience.ts'
import { userSettings } from '../../domain/users/user-settings.ts'

/**
 * Announces that an archived channel is in use again. Clients that do not know archived channels see it appear with its
 * subscribers; the others were told of `is_archived` (events/adapt-channel.ts). Subscribers with an event queue get
 * their subscriptions again. The list of subscribers is sent once for all of them, because thousands may follow, each
 * with settings of their own.
 *
 * @param knowers who may know of the channel
 */
export async function announceUnarchived(tx: Tx, channel: Channel, knowers: Audience): Promise<void> {
  const subscribers = (await tx.subscriptions.subscribers([channel.id])).get(channel.id) ?? []
  const streams = [toWireChannel(channel)]
  tx.events.append({ type: 'stream', op: 'create', streams, isOfReturn: true }, knowers)
  const followers = await tx.subscriptions.withQueues(channel.id)
  const settings = await tx.users.settings(followers.map((one) => one.userId))
  const alike = Map.groupBy(followers, (one) => {
    const inherited = inheritedNotifications(settings.get(one.userId) ?? userSettings({}))
    return JSON.stringify([inherited, { ...one, userId: 0 }])
  })
  for (const [key, group] of alike) {
    const [inherited] = JSON.parse(key) as [ReturnType<typeof inheritedNotifications>]
    const subscriptions = group.slice(0, 1).map((one) => toWireSubscription(one, { channel, subscribers: [] }))
    tx.events.append(
      { type: 'subscription', op: 'add', subscriptions, inherited, isOfReturn: true },
      { to: 'users', userIds: group.map((one) => one.userId) },
    )
  }
  if (subscribers.length === 0) return
  tx.events.append(
    { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: subscribers, isOfReturn: true },
    knowers,
  )
}
