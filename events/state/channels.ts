import type { Readers } from '../../db/database.ts'
import {
  type Channel,
  type ChannelStatistics,
  type Subscription,
  statisticsOfNewChannel,
} from '../../domain/channel.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import {
  type InheritedNotifications,
  inheritedNotifications,
  toWireChannel,
  toWireSubscription,
  withInheritedNotifications,
} from '../../domain/wire-channel.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/** Fetch types `stream` and `subscription`: the channels that the caller knows of, and their own subscriptions. */
export const channelsPart: StatePart = async (read, actor, request) => {
  if (!request.isWanted('stream') && !request.isWanted('subscription')) return {}
  const includeArchived = request.capabilities.archived_channels === true
  const { streams, lists } = await channelLists(read, actor, { ...request, includeArchived })
  const knowsNull = request.capabilities.notification_settings_null === true
  return {
    ...(request.isWanted('stream') && { streams }),
    ...(request.isWanted('subscription') &&
      (knowsNull ? lists : withoutNulls(lists, inheritedNotifications(await read.users.settingsOf(actor.id))))),
  }
}

type WireSubscription = ReturnType<typeof toWireSubscription>

function withoutNulls<Lists extends { subscriptions: WireSubscription[]; unsubscribed: WireSubscription[] }>(
  lists: Lists,
  inherited: InheritedNotifications,
): Lists {
  return {
    ...lists,
    subscriptions: lists.subscriptions.map((one) => withInheritedNotifications(one, inherited)),
    unsubscribed: lists.unsubscribed.map((one) => withInheritedNotifications(one, inherited)),
  }
}

export interface ListRequest extends Pick<StateRequest, 'includeSubscribers' | 'now' | 'organization'> {
  readonly includeArchived: boolean
  /** Saves the numbers and subscribers of all other channels. */
  readonly onlySubscribed?: true
}

/** Lists of channels that `actor` may know of, by what they have to do with them. */
export async function channelLists(read: Readers, actor: Actor, request: ListRequest) {
  const { onlySubscribed, includeArchived } = request
  const byChannel = (list: readonly Subscription[]) => new Map(list.map((one) => [one.channelId, one]))
  const own = byChannel(await read.subscriptions.ofUser(actor.id))
  const former = onlySubscribed ? new Map() : byChannel(await read.subscriptions.formerOfUser(actor.id))
  const rightsTo = (channel: Channel) => new ChannelRights(actor, channel, own.has(channel.id), request)
  const channels = (await read.channels.all()).filter(
    (channel) =>
      (includeArchived || !channel.isArchived) &&
      (own.has(channel.id) || (!onlySubscribed && rightsTo(channel).mayKnow)),
  )
  const statistics = await read.channels.statistics(channels.map((channel) => channel.id))
  const statisticsOf = (channel: Channel): ChannelStatistics => statistics.get(channel.id) ?? statisticsOfNewChannel(0)
  const subscribersOf = await subscriberLists(read, channels, request.includeSubscribers)
  const listed = (subscriptions: ReadonlyMap<ChannelId, Subscription>) =>
    channels.flatMap((channel) => {
      const subscription = subscriptions.get(channel.id)
      if (!subscription) return []
      const view = { channel, statistics: statisticsOf(channel), ...subscribersOf(channel) }
      return [toWireSubscription(subscription, view)]
    })
  const wire = (channel: Channel) => toWireChannel(channel, statisticsOf(channel))
  const neverSubscribed = channels
    .filter((channel) => !own.has(channel.id) && !former.has(channel.id))
    .map((channel) => ({ ...wire(channel), ...subscribersOf(channel) }))
  return {
    channels,
    rightsTo,
    isSubscribed: (channel: Channel) => own.has(channel.id),
    streams: channels.map(wire),
    lists: { subscriptions: listed(own), unsubscribed: listed(former), never_subscribed: neverSubscribed },
  }
}

/**
 * Complete lists also for `partial`: a superset is always right (SUBS-5, SUBS-6). Whoever may know of a channel sees
 * who follows it.
 */
async function subscriberLists(
  read: Readers,
  channels: readonly Channel[],
  include: StateRequest['includeSubscribers'],
): Promise<(channel: Channel) => { subscribers?: UserId[] }> {
  if (include === 'false') return () => ({})
  const subscribers = await read.subscriptions.subscribers(channels.map((channel) => channel.id))
  return (channel) => ({ subscribers: subscribers.get(channel.id) ?? [] })
}
