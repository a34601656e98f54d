import { ascending, byKey } from './order.ts'
import type { ClientPart } from './state.ts'

export interface WireChannel {
  readonly stream_id: number
  readonly invite_only: boolean
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
  never_subscribed: ListedChannel[]
}

interface ChannelUpdate {
  readonly stream_id: number
  readonly property: string
  readonly value: unknown
}

export const channels: ClientPart<ChannelFields> = {
  apply: {
    'stream create': (state, { streams }: { streams: readonly WireChannel[] }) => {
      for (const channel of streams) addChannel(state, channel)
    },
    'stream delete': (state, { stream_ids }: { stream_ids: readonly number[] }) => {
      for (const id of stream_ids) removeChannel(state, id)
    },
    'stream update': (state, { stream_id: id, property, value }: ChannelUpdate) => {
      for (const list of [state.streams, state.subscriptions, state.never_subscribed]) {
        const index = list.findIndex((one) => one.stream_id === id)
        if (index !== -1) Object.assign(list[index] as WireChannel, { [property]: value })
      }
    },
    'subscription add': (state, { subscriptions }: { subscriptions: readonly ListedChannel[] }) => {
      for (const subscription of subscriptions) addSubscription(state, subscription)
    },
    'subscription peer_add': (state, event: { stream_ids: readonly number[]; user_ids: readonly number[] }) => {
      for (const id of event.stream_ids) addPeers(state, id, event.user_ids)
    },
    'subscription peer_remove': (state, event: { stream_ids: readonly number[]; user_ids: readonly number[] }) => {
      for (const id of event.stream_ids) removePeers(state, id, event.user_ids)
    },
  },
  normalize: (state) => ({
    streams: byKey(state.streams, (one) => one.stream_id),
    subscriptions: listed(state.subscriptions),
    never_subscribed: listed(state.never_subscribed),
  }),
}

function listed(channels: readonly ListedChannel[]): ListedChannel[] {
  return byKey(channels, (one) => one.stream_id).map((one) => ({
    ...one,
    subscribers: one.subscribers.toSorted(ascending),
  }))
}

function addChannel(state: ChannelFields, channel: WireChannel): void {
  if (state.streams.some((known) => known.stream_id === channel.stream_id)) {
    throw new Error(`channel ${channel.stream_id} came into sight although it was known`)
  }
  state.streams.push({ ...channel })
  state.never_subscribed.push({ ...channel, subscribers: [] })
}

function removeChannel(state: ChannelFields, id: number): void {
  const isOther = (one: WireChannel): boolean => one.stream_id !== id
  if (state.streams.every(isOther)) throw new Error(`channel ${id} went out of sight although it was not known`)
  state.streams = state.streams.filter(isOther)
  state.subscriptions = state.subscriptions.filter(isOther)
  state.never_subscribed = state.never_subscribed.filter(isOther)
}

function addSubscription(state: ChannelFields, subscription: ListedChannel): void {
  const { stream_id: id } = subscription
  const channel = state.streams.find((known) => known.stream_id === id)
  if (!channel) throw new Error(`subscribed to channel ${id}, which no event made known`)
  channel.subscriber_count = subscription.subscriber_count
  channel.first_message_id = subscription.first_message_id
  state.never_subscribed = state.never_subscribed.filter((known) => known.stream_id !== id)
  state.subscriptions.push({ ...subscription, subscribers: [...subscription.subscribers] })
}

function addPeers(state: ChannelFields, id: number, userIds: readonly number[]): void {
  changePeers(state, id, (subscribers) => [...new Set([...subscribers, ...userIds])])
}

function removePeers(state: ChannelFields, id: number, userIds: readonly number[]): void {
  changePeers(state, id, (subscribers) => subscribers.filter((one) => !userIds.includes(one)))
}

function changePeers(state: ChannelFields, id: number, change: (subscribers: number[]) => number[]): void {
  const listed = [...state.subscriptions, ...state.never_subscribed].find((one) => one.stream_id === id)
  const channel = state.streams.find((known) => known.stream_id === id)
  if (!listed || !channel) throw new Error(`peers in channel ${id}, which no event made known`)
  listed.subscribers = change(listed.subscribers)
  listed.subscriber_count = listed.subscribers.length
  channel.subscriber_count = listed.subscribers.length
}
