import type { MessageId, UserId } from './ids.ts'
import { topicKey } from './text-keys.ts'
import { topicForOutput } from './topics.ts'

export type UnreadConversation =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string; readonly isMuted: boolean }
  /** By ascending id, the user included. */
  | { readonly kind: 'direct'; readonly memberIds: readonly UserId[] }

export interface UnreadEntry {
  readonly id: MessageId
  readonly conversation: UnreadConversation
  readonly isMention: boolean
}

/**
 * `unread_msgs` of POST /register: unread messages by conversation (schemas/register.yaml, UnreadMessages).
 * @param entries ascending by id
 * @param areMoreMissing whether older unread messages were left out
 */
export function unreadMessages(
  userId: UserId,
  entries: readonly UnreadEntry[],
  { areMoreMissing, allowEmptyTopicName }: { areMoreMissing: boolean; allowEmptyTopicName: boolean },
) {
  const streams = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>()
  const pms = new Map<number, { other_user_id: number; sender_id: number; unread_message_ids: number[] }>()
  const huddles = new Map<string, { user_ids_string: string; unread_message_ids: number[] }>()
  const mentions: number[] = []
  const keys = new Map<string, string>()
  // Folding is dear, and fifty thousand messages have few topics.
  const keyOf = (topic: string): string => {
    const known = keys.get(topic) ?? topicKey(topic)
    keys.set(topic, known)
    return known
  }
  let count = 0
  for (const { id, conversation, isMention } of entries) {
    if (isMention) mentions.push(id)
    if (conversation.kind === 'topic') {
      if (!conversation.isMuted) count += 1
      const topic = topicForOutput(conversation.topic, allowEmptyTopicName)
      const key = `${conversation.channelId}:${keyOf(conversation.topic)}`
      const unread = streams.get(key) ?? { stream_id: conversation.channelId, topic, unread_message_ids: [] }
      unread.topic = topic // the newest spelling
      unread.unread_message_ids.push(id)
      streams.set(key, unread)
      continue
    }
    count += 1
    const others = conversation.memberIds.filter((memberId) => memberId !== userId)
    if (others.length <= 1) {
      const other = others[0] ?? userId
      const unread = pms.get(other) ?? { other_user_id: other, sender_id: other, unread_message_ids: [] }
      unread.unread_message_ids.push(id)
      pms.set(other, unread)
    } else {
      const key = conversation.memberIds.join(',')
      const unread = huddles.get(key) ?? { user_ids_string: key, unread_message_ids: [] }
      unread.unread_message_ids.push(id)
      huddles.set(key, unread)
    }
  }
  return {
    count,
    pms: [...pms.values()],
    streams: [...streams.values()],
    huddles: [...huddles.values()],
    mentions,
    old_unreads_missing: areMoreMissing,
  }
}
