import { type ChannelFields, copiesOf } from './channels.ts'
import { ascending, byKey, keyed } from './order.ts'
import { keyOf, noteConversation, type RecentDirectFields } from './recent-direct.ts'
import type { ClientPart, ClientState } from './state.ts'
import { recount, type Unread, type UnreadFields } from './unread.ts'

export interface WireMessage {
  readonly id: number
  readonly sender_id: number
  readonly type: 'stream' | 'private'
  readonly stream_id?: number
  readonly subject: string
  readonly avatar_url?: unknown
  readonly display_recipient: string | readonly { readonly id: number }[]
  readonly submessages?: readonly object[]
  readonly edit_history?: readonly object[]
}

export interface MessageFields {
  max_message_id: number
  unread_msgs: Unread
}

type State = MessageFields & ChannelFields & RecentDirectFields & UnreadFields & ClientState

export const part: ClientPart<MessageFields & ChannelFields & RecentDirectFields & UnreadFields> = {
  fetched: ['message', 'recent_private_conversations'],
  empty: {
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
    recent_private_conversations: [],
  },
  apply: {
    message: (state, { message, flags }: { message: WireMessage; flags: readonly string[] }) => {
      // An all_public_streams queue also gets messages that its user did not receive, in channels without a
      // subscription.
      if (!flags.includes('historical')) state.max_message_id = Math.max(state.max_message_id, message.id)
      noteConversation(state, message)
      if (message.type === 'stream') noteFirstMessage(state, message)
      if (!flags.includes('read')) addUnread(state, message, flags)
    },
  },
  normalize: ({ unread_msgs: unread }) => ({
    unread_msgs: {
      ...unread,
      pms: byKey(unread.pms.map(withIdsInOrder), (one) => one.other_user_id),
      // The topic is spelled as in the newest unread message, which a client may not have loaded.
      streams: byKey(
        unread.streams.map((one) => ({ ...withIdsInOrder(one), topic: one.topic.toLowerCase() })),
        (one) => `${one.stream_id} ${one.topic}`,
      ),
      huddles: byKey(unread.huddles.map(withIdsInOrder), (one) => one.user_ids_string),
      mentions: unread.mentions.toSorted(ascending),
    },
  }),
  view: ({ unread_msgs: unread, recent_private_conversations: conversations }, { users, channels, messages }) => ({
    unread_topics: keyed(
      unread.streams.filter(({ stream_id: id }) => channels.has(id)),
      ({ stream_id: id, topic }) => `${channels.get(id)?.name} > ${topic.toLowerCase()}`,
      idsInOrder,
    ),
    unread_direct: keyed(
      unread.pms.filter(({ other_user_id: id }) => users.has(id)),
      ({ other_user_id: id }) => id,
      idsInOrder,
    ),
    unread_groups: keyed(
      unread.huddles.filter(({ user_ids_string: ids }) => ids.split(',').every((id) => users.has(Number(id)))),
      ({ user_ids_string: ids }) => ids,
      idsInOrder,
    ),
    mentions: unread.mentions.filter((id) => messages.has(id)).toSorted(ascending),
    conversations: keyed(
      conversations.filter(({ user_ids: ids }) => ids.every((id) => users.has(id))),
      keyOf,
      ({ max_message_id: id }) => id,
    ),
  }),
}

function withIdsInOrder<One extends { unread_message_ids: number[] }>(one: One): One {
  return { ...one, unread_message_ids: idsInOrder(one) }
}

function idsInOrder({ unread_message_ids: ids }: { readonly unread_message_ids: readonly number[] }): number[] {
  return ids.toSorted(ascending)
}

function noteFirstMessage(state: State, message: WireMessage): void {
  for (const channel of copiesOf(state, message.stream_id ?? 0)) channel.first_message_id ??= message.id
}

export function hasMention(flags: readonly string[]): boolean {
  return flags.includes('mentioned') || flags.includes('wildcard_mentioned')
}

export function addUnread(state: State, message: WireMessage, flags: readonly string[]): void {
  const { unread_msgs: unread } = state
  // Messages only count as unread in channels that are not archived and that the user is subscribed to.
  const isFollowed = state.subscriptions.some((one) => one.stream_id === message.stream_id && !one.is_archived)
  if (message.type === 'stream' && !isFollowed) return
  if (hasMention(flags)) unread.mentions.push(message.id)
  unreadIdsOf(state, message).push(message.id)
  recount(state)
}

/** Returns the unread list of the message's conversation, creating it if this is its first unread message. */
function unreadIdsOf({ unread_msgs: unread, user_id: self }: State, message: WireMessage): number[] {
  if (message.type === 'stream') {
    const isSame = (one: Unread['streams'][number]): boolean =>
      one.stream_id === message.stream_id && one.topic.toLowerCase() === message.subject.toLowerCase()
    const known = unread.streams.find(isSame)
    if (known) known.topic = message.subject
    const topic = { stream_id: message.stream_id ?? 0, topic: message.subject, unread_message_ids: [] }
    return (known ?? added(unread.streams, topic)).unread_message_ids
  }
  const members = (message.display_recipient as readonly { readonly id: number }[]).map((member) => member.id)
  const others = members.filter((id) => id !== self)
  if (others.length > 1) {
    const key = members.toSorted(ascending).join(',')
    const known = unread.huddles.find((one) => one.user_ids_string === key)
    return (known ?? added(unread.huddles, { user_ids_string: key, unread_message_ids: [] })).unread_message_ids
  }
  const other = others[0] ?? self
  const known = unread.pms.find((one) => one.other_user_id === other)
  return (known ?? added(unread.pms, { other_user_id: other, sender_id: other, unread_message_ids: [] }))
    .unread_message_ids
}

function added<One>(list: One[], one: One): One {
  list.push(one)
  return one
}
