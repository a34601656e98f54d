import { byId } from '../../db/kept-rows.ts'
import type { CommittedReaders, Subscribers } from '../../db/shared-rows.ts'
import type { Channel, Subscription } from '../../domain/channels/channel.ts'
import {
  type InheritedNotifications,
  inheritedNotifications,
  ownFields,
  toWireChannel,
  withInheritedNotifications,
} from '../../domain/channels/wire-channel.ts'
import { DAY_SECONDS } from '../../domain/clock.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { EncodedJson } from '../../domain/json-pieces.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { ItemJson, joinedJson } from '../item-json.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/** Fetch types `stream` and `subscription`: the channels the caller may know of, and the caller's own subscriptions. */
export const part: StatePart = async (read, actor, request) => {
  if (!request.isWanted('stream') && !request.isWanted('subscription')) return {}
  const includeArchived = request.capabilities.archived_channels === true
  const knowsNull = request.capabilities.notification_settings_null === true
  const inherited = knowsNull ? undefined : inheritedNotifications(await read.users.settingsOf(actor.id))
  const lists = await channelLists(read, actor, { ...request, includeArchived, inherited })
  return {
    ...(request.isWanted('stream') && { streams: (await lists.streams()).as() }),
    ...(request.isWanted('subscription') && {
      subscriptions: (await lists.subscriptions()).as(),
      unsubscribed: (await lists.unsubscribed()).as(),
      never_subscribed: (await lists.neverSubscribed()).as(),
    }),
  }
}

/** A channel as everybody who may know of it sees it. */
export const channelJson = new ItemJson<Channel>(toWireChannel)
const subscribersJson = new ItemJson<Subscribers>(({ userIds }) => ({ subscribers: userIds }))

export interface ListRequest extends Pick<StateRequest, 'includeSubscribers' | 'pauses'> {
  /** Present where `partial` is allowed. */
  readonly partialSubscribersFrom?: number
  readonly includeArchived: boolean
  /** Replaces null in subscriptions; absent for clients that understand null there. */
  readonly inherited?: InheritedNotifications | undefined
  /** If set, the subscribers of all other channels are not read. */
  readonly onlySubscribed?: true
}

/**
 * Lists the channels that `actor` may know of, by the actor's relation to them. Each list is made on demand, with
 * pauses.
 */
export async function channelLists(read: CommittedReaders, actor: Actor, request: ListRequest) {
  const { onlySubscribed, includeArchived, inherited, pauses } = request
  const byChannel = (list: readonly Subscription[]) => new Map(list.map((one) => [one.channelId, one]))
  const own = byChannel(await read.subscriptions.ofUser(actor.id, pauses))
  const former = onlySubscribed ? new Map() : byChannel(await read.subscriptions.formerOfUser(actor.id, pauses))
  const rightsTo = (channel: Channel) => new ChannelRights(actor, channel, own.has(channel.id), read.organization)
  const all = await read.shared.channels(pauses)
  const known = new Set<ChannelId>()
  await pauses.map(onlySubscribed ? chosenChannels(all, own) : all, (channel) => {
    if (!includeArchived && channel.isArchived) return
    if (own.has(channel.id) || rightsTo(channel).mayKnow) known.add(channel.id)
  })
  const isKnown = ({ id }: Channel): boolean => known.has(id)
  const subscribersOf = await subscriberLists(read, request)
  const withOwn = (subscriptions: ReadonlyMap<ChannelId, Subscription>): Promise<EncodedJson> =>
    channelJson.listWith(chosenChannels(all, subscriptions).filter(isKnown), pauses, ({ id }) => {
      const fields = ownFields(subscriptions.get(id) as Subscription)
      const personal = JSON.stringify(inherited ? withInheritedNotifications(fields, inherited) : fields)
      return joinedJson(personal, subscribersOf?.(id))
    })
  return {
    all,
    isKnown,
    rightsTo,
    isSubscribed: ({ id }: Channel) => own.has(id),
    streams: () => channelJson.list(all, pauses, { isListed: isKnown }),
    subscriptions: () => withOwn(own),
    unsubscribed: () => withOwn(former),
    neverSubscribed(): Promise<EncodedJson> {
      const isOther = (channel: Channel) => isKnown(channel) && !own.has(channel.id) && !former.has(channel.id)
      if (!subscribersOf) return channelJson.list(all, pauses, { isListed: isOther })
      return channelJson.listWith(all.filter(isOther), pauses, ({ id }) => subscribersOf(id))
    },
  }
}

/** Returns the channels that are in `chosen`, in the order of `chosen`. */
function chosenChannels(channels: readonly Channel[], chosen: ReadonlyMap<ChannelId, unknown>): Channel[] {
  const channelOf = byId(channels)
  return [...chosen.keys()].flatMap((id) => channelOf.get(id) ?? [])
}

/** A subscriber who has been inactive for longer than this is missing from `partial` lists. */
const ACTIVE_SECONDS = 14 * DAY_SECONDS

/**
 * JSON with the field `subscribers`, or `partial_subscribers` for channels where only a part is wanted (SUBS-5,
 * SUBS-6); undefined if the request wants neither. Everybody who may know of a channel sees who is subscribed to it.
 */
async function subscriberLists(
  read: CommittedReaders,
  { includeSubscribers: include, partialSubscribersFrom, pauses }: ListRequest,
): Promise<((id: ChannelId) => string) | undefined> {
  if (include === 'false') return undefined
  const lists = await read.shared.subscribers(pauses)
  const subscribers = byId(lists)
  const large = include === 'partial' && partialSubscribersFrom !== undefined ? partialSubscribersFrom : Infinity
  const parts = new Map<ChannelId, string>()
  if (lists.some(({ userIds }) => userIds.length >= large)) {
    const idle = await read.presence.idleSince(read.organization.now - ACTIVE_SECONDS, pauses)
    for (const { id, userIds } of lists) {
      if (userIds.length < large) continue
      parts.set(id, JSON.stringify({ partial_subscribers: userIds.filter((one) => !idle.has(one)) }))
      await pauses.letOthers()
    }
  }
  return (id) => parts.get(id) ?? subscribersJson.text(subscribers.get(id) ?? { id, userIds: [] })
}
