import type { ClientState } from './state.ts'

export interface Unread {
  count: number
  pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  mentions: number[]
  old_unreads_missing: boolean
}

export interface UserTopic {
  readonly stream_id: number
  readonly topic_name: string
  readonly last_updated: number
  readonly visibility_policy: number
}

/** The fields that decide whether a message counts as unread. */
export interface UnreadFields {
  unread_msgs: Unread
  subscriptions: { readonly stream_id: number; readonly is_muted?: unknown }[]
  user_topics: UserTopic[]
}

/** Leaving a channel marks its messages as read, and messages of archived channels never count as unread. */
export function dropUnread(state: UnreadFields & ClientState, channelId: number): void {
  const dropped = state.unread_msgs.streams.filter((one) => one.stream_id === channelId)
  const ids = new Set(dropped.flatMap((one) => one.unread_message_ids))
  dropIds(state, (id) => ids.has(id))
}

/** These messages are no longer unread. */
export function dropIds(state: UnreadFields, isGone: (id: number) => boolean): void {
  const { unread_msgs: unread } = state
  for (const one of [...unread.pms, ...unread.streams, ...unread.huddles]) {
    one.unread_message_ids = one.unread_message_ids.filter((id) => !isGone(id))
  }
  const isAnyLeft = (one: { unread_message_ids: number[] }): boolean => one.unread_message_ids.length > 0
  unread.pms = unread.pms.filter(isAnyLeft)
  unread.streams = unread.streams.filter(isAnyLeft)
  unread.huddles = unread.huddles.filter(isAnyLeft)
  unread.mentions = unread.mentions.filter((id) => !isGone(id))
  recount(state)
}

export function isSameTopic(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** `count` is the number of all unread messages that are not muted. The topic's policy overrides the channel's mute. */
export function recount(state: UnreadFields): void {
  const { unread_msgs: unread, subscriptions, user_topics: topics } = state
  const isMuted = ({ stream_id: id, topic }: Unread['streams'][number]): boolean => {
    const own = topics.find((one) => one.stream_id === id && isSameTopic(one.topic_name, topic))
    if (own) return own.visibility_policy === 1
    return subscriptions.find((one) => one.stream_id === id)?.is_muted === true
  }
  const counted = [...unread.pms, ...unread.huddles, ...unread.streams.filter((topic) => !isMuted(topic))]
  unread.count = counted.reduce((sum, one) => sum + one.unread_message_ids.length, 0)
}
