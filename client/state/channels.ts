import { ascending, byKey } from './order.ts'
import { type ClientPart, type ClientState, MisfitError } from './state.ts'
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

export const channels: ClientPart<ChannelFields & UnreadFields> = {
  apply: {
    'stream create': (state, { streams }: { streams: readonly WireChannel[] }) => {
      for (const channel of streams) addChannel(state, channel)
    },
    'stream update': (state, event: { stream_id: number; property: string; value: unknown }) => {
      for (const channel of copiesOf(state, event.stream_id)) Object.assign(channel, { [event.property]: event.value })
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
    // When a channel comes into sight, no event tells whether one once followed it: the two lists count as one.
    unsubscribed: [],
    never_subscribed: listed([...state.never_subscribed, ...state.unsubscribed.map(withoutOwnSettings)]),
  }),
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

/** The entries of one channel in all lists. */
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

/** A client that knows no archived channels may hear of one that is gone already. */
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
