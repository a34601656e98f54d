import type { Readers } from '../../db/database.ts'
import { type Channel, type ChannelStatistics, statisticsOfNewChannel } from '../../domain/channel.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import {
  TRAFFIC_WINDOW_SECONDS,
  toWireChannel,
  toWireSubscription,
  withInheritedNotifications,
} from '../../domain/wire-channel.ts'
import { mayKnowChannel, mayReadChannel, maySeeSubscribers } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/** Fetch types `stream` and `subscription`: the channels that the caller knows of, and their own subscriptions. */
export const channelsPart: StatePart = async (read, actor, request) => {
  if (!request.isWanted('stream') && !request.isWanted('subscription')) return {}
  const { streams, lists } = await channelLists(read, actor, request)
  return {
    ...(request.isWanted('stream') && { streams }),
    ...(request.isWanted('subscription') && withoutUnknownNulls(lists, request)),
  }
}

function withoutUnknownNulls<Lists extends { subscriptions: Parameters<typeof withInheritedNotifications>[0][] }>(
  lists: Lists,
  { capabilities }: StateRequest,
): Lists {
  if (capabilities.notification_settings_null) return lists
  return { ...lists, subscriptions: lists.subscriptions.map(withInheritedNotifications) }
}

/**
 * Lists of channels that `actor` may know of, by what they have to do with them.
 * @param request.onlySubscribed saves the numbers and subscribers of all other channels
 */
export async function channelLists(
  read: Readers,
  actor: Actor,
  request: Pick<StateRequest, 'includeSubscribers' | 'now'> & { readonly onlySubscribed?: true },
) {
  const { now, onlySubscribed } = request
  const own = new Map((await read.subscriptions.ofUser(actor.id)).map((one) => [one.channelId, one]))
  const channels = (await read.channels.all()).filter(
    (channel) =>
      !channel.isArchived && (own.has(channel.id) || (!onlySubscribed && mayKnowChannel(actor.role, channel, false))),
  )
  const statistics = await read.channels.statistics(
    channels.map((channel) => channel.id),
    now - TRAFFIC_WINDOW_SECONDS,
  )
  const statisticsOf = (channel: Channel): ChannelStatistics => statistics.get(channel.id) ?? statisticsOfNewChannel(0)
  const wire = (channel: Channel) => toWireChannel(channel, statisticsOf(channel), now)
  const subscribersOf = await subscriberLists(read, actor, channels, own, request.includeSubscribers)

  const subscriptions = channels.flatMap((channel) => {
    const subscription = own.get(channel.id)
    if (!subscription) return []
    const subscribers = subscribersOf(channel)
    const view = { channel, statistics: statisticsOf(channel), now, ...(subscribers && { subscribers }) }
    return [toWireSubscription(subscription, view)]
  })
  const neverSubscribed = channels
    .filter((channel) => !own.has(channel.id))
    .map((channel) => {
      const subscribers = subscribersOf(channel)
      return { ...wire(channel), ...(subscribers && { subscribers: [...subscribers] }) }
    })
  return {
    streams: channels.map(wire),
    lists: { subscriptions, unsubscribed: [], never_subscribed: neverSubscribed },
    isSubscribed: (channelId: number) => own.has(channelId as ChannelId),
    isReadable: (channel: { stream_id: number; invite_only: boolean }) =>
      mayReadChannel(actor.role, { inviteOnly: channel.invite_only }, own.has(channel.stream_id as ChannelId)),
  }
}

/** Complete lists also for `partial`: a superset is always right (SUBS-5, SUBS-6). */
async function subscriberLists(
  read: Readers,
  actor: Actor,
  channels: readonly Channel[],
  own: ReadonlyMap<ChannelId, unknown>,
  include: StateRequest['includeSubscribers'],
): Promise<(channel: Channel) => readonly UserId[] | undefined> {
  if (include === 'false') return () => undefined
  const subscribers = await read.subscriptions.subscribers(channels.map((channel) => channel.id))
  return (channel) =>
    maySeeSubscribers(actor.role, channel, own.has(channel.id)) ? (subscribers.get(channel.id) ?? []) : []
}
