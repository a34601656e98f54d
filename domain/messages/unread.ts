import type { MessageId, UserId } from '../ids.ts'
import { topicKey } from '../text/text-keys.ts'
import { topicForOutput } from '../topics/topics.ts'

export type UnreadConversation =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string; readonly isMuted: boolean }
  /** By ascending ID, including the user. */
  | { readonly kind: 'direct'; readonly memberIds: readonly UserId[] }

export interface UnreadEntry {
  readonly id: MessageId
  readonly conversation: UnreadConversation
  readonly isMention: boolean
}

/** `unread_msgs` of POST /register: unread messages by conversation (schemas/register.yaml, UnreadMessages). */
export class UnreadLists {
  readonly #userId: UserId
  readonly #allowEmptyTopicName: boolean
  readonly #streams = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>()
  readonly #pms = new Map<number, { other_user_id: number; sender_id: number; unread_message_ids: number[] }>()
  readonly #huddles = new Map<string, { user_ids_string: string; unread_message_ids: number[] }>()
  readonly #mentions: number[] = []
  readonly #keys = new Map<string, string>()
  #count = 0

  constructor(userId: UserId, allowEmptyTopicName: boolean) {
    this.#userId = userId
    this.#allowEmptyTopicName = allowEmptyTopicName
  }

  /** Call it by ascending ID. */
  add({ id, conversation, isMention }: UnreadEntry): void {
    if (isMention) this.#mentions.push(id)
    if (conversation.kind === 'topic') this.#addToTopic(id, conversation)
    else this.#addToConversation(id, conversation.memberIds)
  }

  /** @param areMoreMissing whether older unread messages were left out */
  lists(areMoreMissing: boolean) {
    return {
      count: this.#count,
      pms: [...this.#pms.values()],
      streams: [...this.#streams.values()],
      huddles: [...this.#huddles.values()],
      mentions: this.#mentions,
      old_unreads_missing: areMoreMissing,
    }
  }

  #addToTopic(id: MessageId, conversation: Extract<UnreadConversation, { kind: 'topic' }>): void {
    if (!conversation.isMuted) this.#count += 1
    const topic = topicForOutput(conversation.topic, this.#allowEmptyTopicName)
    const key = `${conversation.channelId}:${this.#keyOf(conversation.topic)}`
    const unread = this.#streams.get(key) ?? { stream_id: conversation.channelId, topic, unread_message_ids: [] }
    unread.topic = topic // the newest spelling
    unread.unread_message_ids.push(id)
    this.#streams.set(key, unread)
  }

  #addToConversation(id: MessageId, memberIds: readonly UserId[]): void {
    this.#count += 1
    const others = memberIds.filter((memberId) => memberId !== this.#userId)
    if (others.length <= 1) {
      const other = others[0] ?? this.#userId
      const unread = this.#pms.get(other) ?? { other_user_id: other, sender_id: other, unread_message_ids: [] }
      unread.unread_message_ids.push(id)
      this.#pms.set(other, unread)
    } else {
      const key = memberIds.join(',')
      const unread = this.#huddles.get(key) ?? { user_ids_string: key, unread_message_ids: [] }
      unread.unread_message_ids.push(id)
      this.#huddles.set(key, unread)
    }
  }

  /** Case folding is expensive, and fifty thousand messages have few topics. */
  #keyOf(topic: string): string {
    const known = this.#keys.get(topic) ?? topicKey(topic)
    this.#keys.set(topic, known)
    return known
  }
}
