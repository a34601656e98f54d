import { isDeepStrictEqual } from 'node:util'

/** A client's copy of what POST /register told, kept up to date by events. Fields that no event touches are in the rest. */
export interface ClientState {
  readonly user_id: number
  max_message_id: number
  realm_users: WireUser[]
  streams: WireChannel[]
  subscriptions: ListedChannel[]
  never_subscribed: ListedChannel[]
  unread_msgs: Unread
  readonly [other: string]: unknown
}

interface WireUser {
  readonly user_id: number
  readonly [other: string]: unknown
}
interface WireChannel {
  readonly stream_id: number
  readonly invite_only: boolean
  first_message_id: number | null
  subscriber_count: number
  readonly [other: string]: unknown
}
interface ListedChannel extends WireChannel {
  subscribers: number[]
}
interface Unread {
  count: number
  pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  mentions: number[]
  old_unreads_missing: boolean
}

interface WireMessage {
  readonly id: number
  readonly type: 'stream' | 'private'
  readonly stream_id?: number
  readonly subject: string
  readonly display_recipient: string | readonly { readonly id: number }[]
}
export type WireEvent =
  | { readonly id: number; readonly type: 'message'; readonly message: WireMessage; readonly flags: readonly string[] }
  | { readonly id: number; readonly type: 'realm_user'; readonly op: 'add'; readonly person: WireUser }
  | { readonly id: number; readonly type: 'stream'; readonly op: 'create'; readonly streams: readonly WireChannel[] }
  | {
      readonly id: number
      readonly type: 'subscription'
      readonly op: 'add'
      readonly subscriptions: readonly ListedChannel[]
    }
  | {
      readonly id: number
      readonly type: 'subscription'
      readonly op: 'peer_add'
      readonly stream_ids: readonly number[]
      readonly user_ids: readonly number[]
    }

/** What about the queue itself differs between two registrations. */
const OF_THE_QUEUE = ['queue_id', 'last_event_id']

/**
 * The state after `events`, as a careful client works it out: from the events alone, in their order, each of them
 * possibly telling again what is known. @throws on a type of event that this client has not learnt
 */
export function applyEvents(registered: ClientState, events: readonly WireEvent[]): ClientState {
  const state = structuredClone(registered)
  for (const event of events) apply(state, event)
  return state
}

function apply(state: ClientState, event: WireEvent): void {
  switch (event.type) {
    case 'message':
      applyMessage(state, event.message, event.flags)
      break
    case 'realm_user':
      if (!state.realm_users.some((user) => user.user_id === event.person.user_id)) state.realm_users.push(event.person)
      break
    case 'stream':
      for (const channel of event.streams) addChannel(state, channel)
      break
    case 'subscription':
      if (event.op === 'add') addSubscriptions(state, event.subscriptions)
      else addPeers(state, event.stream_ids, event.user_ids)
      break
    default:
      throw new Error(`an event that this client does not know: ${JSON.stringify(event satisfies never)}`)
  }
}

function addChannel(state: ClientState, channel: WireChannel): void {
  if (state.streams.some((known) => known.stream_id === channel.stream_id)) {
    throw new Error(`channel ${channel.stream_id} came into sight although it was known`)
  }
  state.streams.push({ ...channel })
  state.never_subscribed.push({ ...channel, subscribers: [] })
}

function addSubscriptions(state: ClientState, subscriptions: readonly ListedChannel[]): void {
  for (const subscription of subscriptions) {
    const { stream_id: id } = subscription
    const channel = state.streams.find((known) => known.stream_id === id)
    if (!channel) throw new Error(`subscribed to channel ${id}, which no event made known`)
    channel.subscriber_count = subscription.subscriber_count
    channel.first_message_id = subscription.first_message_id
    state.never_subscribed = state.never_subscribed.filter((known) => known.stream_id !== id)
    state.subscriptions.push({ ...subscription, subscribers: [...subscription.subscribers] })
  }
}

function addPeers(state: ClientState, channelIds: readonly number[], userIds: readonly number[]): void {
  for (const id of channelIds) {
    const listed = [...state.subscriptions, ...state.never_subscribed].find((one) => one.stream_id === id)
    const channel = state.streams.find((known) => known.stream_id === id)
    if (!listed || !channel) throw new Error(`peers in channel ${id}, which no event made known`)
    listed.subscribers = [...new Set([...listed.subscribers, ...userIds])]
    listed.subscriber_count = listed.subscribers.length
    channel.subscriber_count = listed.subscribers.length
  }
}

function applyMessage(state: ClientState, message: WireMessage, flags: readonly string[]): void {
  // What an all_public_streams queue sees of channels that its user does not follow was not received.
  if (!flags.includes('historical')) state.max_message_id = Math.max(state.max_message_id, message.id)
  if (message.type === 'stream') {
    for (const list of [state.streams, state.subscriptions, state.never_subscribed]) {
      const channel = list.find((one) => one.stream_id === message.stream_id)
      if (channel) channel.first_message_id ??= message.id
    }
  }
  if (flags.includes('read')) return
  const { unread_msgs: unread } = state
  unread.count += 1
  if (flags.includes('mentioned') || flags.includes('wildcard_mentioned')) unread.mentions.push(message.id)
  if (message.type === 'stream') {
    const isSame = (one: Unread['streams'][number]): boolean =>
      one.stream_id === message.stream_id && one.topic.toLowerCase() === message.subject.toLowerCase()
    const known = unread.streams.find(isSame)
    if (known) known.topic = message.subject
    const { unread_message_ids: ids } =
      known ??
      added(unread.streams, { stream_id: message.stream_id ?? 0, topic: message.subject, unread_message_ids: [] })
    ids.push(message.id)
    return
  }
  const members = (message.display_recipient as readonly { readonly id: number }[]).map((member) => member.id)
  const others = members.filter((id) => id !== state.user_id)
  if (others.length > 1) {
    const key = members.toSorted((a, b) => a - b).join(',')
    const known = unread.huddles.find((one) => one.user_ids_string === key)
    const { unread_message_ids: ids } = known ?? added(unread.huddles, { user_ids_string: key, unread_message_ids: [] })
    ids.push(message.id)
    return
  }
  const other = others[0] ?? state.user_id
  const known = unread.pms.find((one) => one.other_user_id === other)
  const { unread_message_ids: ids } =
    known ?? added(unread.pms, { other_user_id: other, sender_id: other, unread_message_ids: [] })
  ids.push(message.id)
}

function added<One>(list: One[], one: One): One {
  list.push(one)
  return one
}

const ascending = (a: number, b: number): number => a - b
const byKey = <One>(list: readonly One[], keyOf: (one: One) => number | string): One[] =>
  list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))))

/** The same state with every list in one order, and without what belongs to the queue: two equal states look the same. */
export function normalized(state: ClientState): Record<string, unknown> {
  const listed = (channels: readonly ListedChannel[]) =>
    byKey(channels, (one) => one.stream_id).map((one) => ({ ...one, subscribers: one.subscribers.toSorted(ascending) }))
  const { unread_msgs: unread } = state
  const rest = Object.fromEntries(Object.entries(state).filter(([name]) => !OF_THE_QUEUE.includes(name)))
  return {
    ...rest,
    realm_users: byKey(state.realm_users, (user) => user.user_id),
    streams: byKey(state.streams, (one) => one.stream_id),
    subscriptions: listed(state.subscriptions),
    never_subscribed: listed(state.never_subscribed),
    unread_msgs: {
      ...unread,
      pms: byKey(unread.pms, (one) => one.other_user_id),
      streams: byKey(unread.streams, (one) => `${one.stream_id} ${one.topic}`),
      huddles: byKey(unread.huddles, (one) => one.user_ids_string),
      mentions: unread.mentions.toSorted(ascending),
    },
  }
}

/**
 * Puts aside what no event tells: when a channel gets its first message, who knows of the channel and does not receive
 * the message learns nothing of it (there is no such event in the contract). Such a null stands for whatever is there.
 */
export function withoutUnseenFirstMessages(expected: ClientState, present: ClientState): ClientState {
  const subscribed = new Set(present.subscriptions.map((one) => one.stream_id))
  const forgiving = <Channel extends WireChannel>(
    channels: readonly Channel[],
    now: readonly WireChannel[],
  ): Channel[] =>
    channels.map((channel) => {
      if (channel.first_message_id !== null || subscribed.has(channel.stream_id)) return channel
      const found = now.find((one) => one.stream_id === channel.stream_id)
      return found ? { ...channel, first_message_id: found.first_message_id } : channel
    })
  return {
    ...expected,
    streams: forgiving(expected.streams, present.streams),
    never_subscribed: forgiving(expected.never_subscribed, present.never_subscribed),
  }
}

/** The top-level fields in which two states differ. */
export function differences(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name]))
}
