import type { Readers } from '../../db/repositories.ts'
import type { Channel, Subscription } from '../../domain/channels/channel.ts'
import {
  type InheritedNotifications,
  inheritedNotifications,
  toWireChannel,
  toWireSubscription,
  withInheritedNotifications,
} from '../../domain/channels/wire-channel.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/** Fetch types `stream` and `subscription`: the channels that the caller knows of, and their own subscriptions. */
export const part: StatePart = async (read, actor, request) => {
  if (!request.isWanted('stream') && !request.isWanted('subscription')) return {}
  const includeArchived = request.capabilities.archived_channels === true
  const knowsNull = request.capabilities.notification_settings_null === true
  const inherited = knowsNull ? undefined : inheritedNotifications(await read.users.settingsOf(actor.id))
  const { streams, lists } = await channelLists(read, actor, { ...request, includeArchived, inherited })
  return {
    ...(request.isWanted('stream') && { streams: await streams() }),
    ...(request.isWanted('subscription') && (await lists())),
  }
}

export interface ListRequest extends Pick<StateRequest, 'includeSubscribers' | 'pauses'> {
  readonly includeArchived: boolean
  /** What stands for null in subscriptions; absent for whoever understands null there. */
  readonly inherited?: InheritedNotifications | undefined
  /** Saves reading the subscribers of all other channels. */
  readonly onlySubscribed?: true
}

/** Lists of channels that `actor` may know of, by what they have to do with them; each is made, with pauses, when it is asked for. */
export async function channelLists(read: Readers, actor: Actor, request: ListRequest) {
  const { onlySubscribed, includeArchived, inherited, pauses } = request
  const byChannel = (list: readonly Subscription[]) => new Map(list.map((one) => [one.channelId, one]))
  const own = byChannel(await read.subscriptions.ofUser(actor.id, pauses))
  const former = onlySubscribed ? new Map() : byChannel(await read.subscriptions.formerOfUser(actor.id, pauses))
  const rightsTo = (channel: Channel) => new ChannelRights(actor, channel, own.has(channel.id), read.organization)
  const isListed = (channel: Channel): boolean =>
    (includeArchived || !channel.isArchived) && (own.has(channel.id) || (!onlySubscribed && rightsTo(channel).mayKnow))
  const channels = (
    await pauses.map(await read.channels.all(pauses), (channel) => (isListed(channel) ? [channel] : []))
  ).flat()
  const ids = channels.map((channel) => channel.id)
  const subscribersOf = await subscriberLists(read, ids, request)
  const listed = (subscriptions: ReadonlyMap<ChannelId, Subscription>) =>
    pauses.map(
      channels.filter(({ id }) => subscriptions.has(id)),
      (channel) => {
        const view = { channel, ...subscribersOf(channel) }
        const subscription = toWireSubscription(subscriptions.get(channel.id) as Subscription, view)
        return inherited ? withInheritedNotifications(subscription, inherited) : subscription
      },
    )
  return {
    channels,
    rightsTo,
    isSubscribed: (channel: Channel) => own.has(channel.id),
    streams: () => pauses.map(channels, toWireChannel),
    subscriptions: () => listed(own),
    lists: async () => ({
      subscriptions: await listed(own),
      unsubscribed: await listed(former),
      never_subscribed: await pauses.map(
        channels.filter(({ id }) => !own.has(id) && !former.has(id)),
        (channel) => ({ ...toWireChannel(channel), ...subscribersOf(channel) }),
      ),
    }),
  }
}

/**
 * Complete lists also for `partial`: a superset is always right (SUBS-5, SUBS-6). Whoever may know of a channel sees
 * who follows it.
 */
async function subscriberLists(
  read: Readers,
  ids: readonly ChannelId[],
  { includeSubscribers: include, pauses }: Pick<ListRequest, 'includeSubscribers' | 'pauses'>,
): Promise<(channel: Channel) => { subscribers?: UserId[] }> {
  if (include === 'false') return () => ({})
  const subscribers = await read.subscriptions.subscribers(ids, pauses)
  return (channel) => ({ subscribers: subscribers.get(channel.id) ?? [] })
}
