import { ascending, byKey, keyed, picked } from './order.ts'
import { type ClientPart, type ClientState, MisfitError, type WireEvent } from './state.ts'
import { dropUnread, recount, type UnreadFields } from './unread.ts'

export interface WireChannel {
  readonly stream_id: number
  readonly invite_only: boolean
  is_archived: boolean
  first_message_id: number | null
  subscriber_count: number
  readonly [other: string]: unknown
}
export interface ListedChannel extends WireChannel {
  subscribers: number[]
}

export interface ChannelFields {
  streams: WireChannel[]
  subscriptions: ListedChannel[]
  unsubscribed: ListedChannel[]
  never_subscribed: ListedChannel[]
}

type State = ChannelFields & UnreadFields & ClientState
interface Peers {
  readonly stream_ids: readonly number[]
  readonly user_ids: readonly number[]
}

export const part: ClientPart<ChannelFields & UnreadFields> = {
  fetched: ['stream', 'subscription'],
  empty: { streams: [], subscriptions: [], unsubscribed: [], never_subscribed: [] },
  apply: {
    'stream create': (state, { streams }: { streams: readonly WireChannel[] }) => {
      for (const channel of streams) addChannel(state, channel)
    },
    'stream update': (state, event: WireEvent & { stream_id: number; property: string; value: unknown }) => {
      const changed = { [event.property]: event.value, ...picked(event, WITH_OTHERS.get(event.property) ?? []) }
      for (const channel of copiesOf(state, event.stream_id)) Object.assign(channel, changed)
      if (event.property === 'is_archived') dropUnread(state, event.stream_id)
    },
    'stream delete': (state, { stream_ids: ids }: { stream_ids: readonly number[] }) => {
      const isLeft = (one: WireChannel): boolean => !ids.includes(one.stream_id)
      state.streams = state.streams.filter(isLeft)
      state.subscriptions = state.subscriptions.filter(isLeft)
      state.unsubscribed = state.unsubscribed.filter(isLeft)
      state.never_subscribed = state.never_subscribed.filter(isLeft)
      for (const id of ids) dropUnread(state, id)
    },
    'subscription add': (state, { subscriptions }: { subscriptions: readonly ListedChannel[] }) => {
      for (const subscription of subscriptions) addSubscription(state, subscription)
    },
    'subscription remove': (state, { subscriptions }: { subscriptions: readonly { stream_id: number }[] }) => {
      for (const { stream_id: id } of subscriptions) endSubscription(state, id)
    },
    'subscription update': (state, event: { stream_id: number; property: string; value: unknown }) => {
      const channel = state.subscriptions.find((one) => one.stream_id === event.stream_id)
      if (channel) Object.assign(channel, { [event.property]: event.value })
      recount(state)
    },
    'subscription peer_add': (state, { stream_ids: ids, user_ids: userIds }: Peers) => {
      for (const id of ids) changePeers(state, id, (peers) => [...new Set([...peers, ...userIds])])
    },
    'subscription peer_remove': (state, { stream_ids: ids, user_ids: userIds }: Peers) => {
      for (const id of ids) changePeers(state, id, (peers) => peers.filter((peer) => !userIds.includes(peer)))
    },
  },
  normalize: (state) => ({
    streams: byKey(state.streams, (one) => one.stream_id),
    subscriptions: listed(state.subscriptions),
    // When a channel becomes visible, no event says whether the user was once subscribed to it, so the two lists are
    // compared as one.
    unsubscribed: [],
    never_subscribed: listed([...state.never_subscribed, ...state.unsubscribed.map(withoutOwnSettings)]),
  }),
  view: (state, { channels }) => ({
    subscriptions: keyed(
      state.subscriptions.filter(({ stream_id: id }) => channels.has(id)),
      idOf,
      (one) => ({
        ...picked(one, [...CHANNEL_FIELDS, ...OWN_FIELDS]),
        subscribers: one.subscribers.toSorted(ascending),
      }),
    ),
    // Servers differ in whether they still list a private channel that the user has left.
    other_channels: keyed(
      [...state.unsubscribed, ...state.never_subscribed].filter((one) => channels.has(idOf(one)) && !one.invite_only),
      idOf,
      (one) => ({ ...picked(one, CHANNEL_FIELDS), subscribers: one.subscribers.toSorted(ascending) }),
    ),
  }),
  concerns: ({ stream_id: id, stream_ids: ids = [], streams = [], subscriptions = [] }, { channels }) =>
    [{ stream_id: id }, ...(streams as WireChannel[]), ...(subscriptions as WireChannel[])]
      .map(({ stream_id: one }) => one)
      .concat(ids as number[])
      .some((one) => channels.has(one as number)),
}

/** Further fields of an event about a property of a channel. */
const WITH_OTHERS = new Map([
  ['description', ['rendered_description']],
  ['invite_only', ['history_public_to_subscribers', 'is_web_public']],
])

const CHANNEL_FIELDS = ['name', 'description', 'invite_only']
const OWN_FIELDS = ['color', 'is_muted', 'pin_to_top', 'push_notifications', 'wildcard_mentions_notify']

function idOf({ stream_id: id }: WireChannel): number {
  return id
}

/**
 * `events` without creations of channels that the client already knows: deployed servers send one again when somebody
 * returns to a private channel.
 */
export function withoutRepeated(
  { streams }: Pick<ChannelFields, 'streams'>,
  events: readonly WireEvent[],
): WireEvent[] {
  const known = new Set(streams.map(idOf))
  return events.map((event) => {
    if (event.type !== 'stream') return event
    for (const id of (event.op === 'delete' ? (event.stream_ids ?? []) : []) as number[]) known.delete(id)
    if (event.op !== 'create') return event
    const fresh = (event.streams as readonly WireChannel[]).filter((one) => !known.has(idOf(one)))
    for (const one of fresh) known.add(idOf(one))
    return { ...event, streams: fresh }
  })
}

const OWN_SETTINGS = ['color', 'is_muted', 'in_home_view', 'pin_to_top', 'wildcard_mentions_notify'].concat(
  ['desktop', 'audible', 'push', 'email'].map((kind) => `${kind}_notifications`),
)

function withoutOwnSettings(channel: ListedChannel): ListedChannel {
  const entries = Object.entries(channel).filter(([field]) => !OWN_SETTINGS.includes(field))
  return Object.fromEntries(entries) as unknown as ListedChannel
}

function listed(channels: readonly ListedChannel[]): ListedChannel[] {
  return byKey(channels, (one) => one.stream_id).map((one) => ({
    ...one,
    subscribers: one.subscribers.toSorted(ascending),
  }))
}

/** The entries of a channel in all lists. */
export function copiesOf(state: ChannelFields, id: number): WireChannel[] {
  const lists = [state.streams, state.subscriptions, state.unsubscribed, state.never_subscribed]
  return lists.flatMap((list) => list.filter((one) => one.stream_id === id))
}

function addChannel(state: State, channel: WireChannel): void {
  if (state.streams.some((known) => known.stream_id === channel.stream_id)) {
    throw new MisfitError(`channel ${channel.stream_id} came into sight although it was known`)
  }
  state.streams.push({ ...channel })
  state.never_subscribed.push({ ...channel, subscribers: [] })
}

function addSubscription(state: State, subscription: ListedChannel): void {
  const { stream_id: id } = subscription
  const channel = state.streams.find((known) => known.stream_id === id)
  if (!channel) throw new MisfitError(`subscribed to channel ${id}, which no event made known`)
  channel.subscriber_count = subscription.subscriber_count
  channel.first_message_id = subscription.first_message_id
  state.never_subscribed = state.never_subscribed.filter((known) => known.stream_id !== id)
  state.unsubscribed = state.unsubscribed.filter((known) => known.stream_id !== id)
  state.subscriptions.push({ ...subscription, subscribers: [...subscription.subscribers] })
}

/** A client that does not know archived channels may get events about a channel that is already gone. */
function endSubscription(state: State, id: number): void {
  const subscription = state.subscriptions.find((one) => one.stream_id === id)
  if (!subscription) return
  state.subscriptions = state.subscriptions.filter((one) => one !== subscription)
  state.unsubscribed.push(subscription)
  changePeers(state, id, (peers) => peers.filter((peer) => peer !== state.user_id))
  dropUnread(state, id)
}

function changePeers(state: State, id: number, change: (peers: readonly number[]) => number[]): void {
  const listed = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed].find(
    (one) => one.stream_id === id,
  )
  if (!listed) return
  listed.subscribers = change(listed.subscribers)
  for (const channel of copiesOf(state, id)) channel.subscriber_count = listed.subscribers.length
}
