import type { Person } from './ground.ts'
import type { ModelChannel } from './model-channel.ts'
import { TOPICS } from './spellings.ts'

/** Prefix of the names of resolved topics. */
const RESOLVED = '✔ '

/** A message's content until the next edit. */
export interface Version {
  /** Unique text in its content; empty for the server's own messages. */
  readonly mark: string
  /** Channels of the message while it had this content. */
  readonly channels: Set<ModelChannel | undefined>
  /** Everybody who could read it at any time: they got events then. */
  readonly onceReadableBy: Set<Person>
}

export interface ModelMessage {
  readonly id: number
  /** Undefined for notices, which the server sends. */
  readonly sender: Person | undefined
  /** The last one is current. */
  readonly versions: Version[]
  /** Without the mark. */
  content: string
  /** The channel it was sent to. */
  readonly origin: ModelChannel | undefined
  /** Its current channel; undefined for direct messages. */
  channel: ModelChannel | undefined
  /** Its current topic; undefined for direct messages. */
  topic: string | undefined
  /** Everybody who received it when it was sent: the subscribers, or the people of the conversation. */
  readonly receivers: ReadonlySet<Person>
  /**
   * Receivers who have read it: the sender, if the request says so, and everybody who has since left its channel or
   * lost access by a move.
   */
  readonly readBy: Set<Person>
  /** Receivers with the flag of a mention by name, and with that of a mention of topic participants. */
  readonly flagged: { readonly named: Set<Person>; readonly asParticipant: Set<Person> }
  isDeleted: boolean
}

export function markOf({ versions }: ModelMessage): string {
  return versions.at(-1)?.mark ?? ''
}

export function isSameConversation(one: ModelMessage, other: ModelMessage): boolean {
  if (one.channel !== other.channel) return false
  if (one.channel) return isSameTopic(one.topic, other.topic)
  return one.receivers.symmetricDifference(other.receivers).size === 0
}

export function isSameTopic(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || isResolved(one) !== isResolved(other)) return false
  return TOPICS.some((list) => list.includes(unresolved(one)) && list.includes(unresolved(other)))
}

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED)
}

/** The topic without the mark. */
export function unresolved(topic: string): string {
  return isResolved(topic) ? topic.slice(RESOLVED.length) : topic
}

export function otherwiseResolved(topic: string): string {
  return isResolved(topic) ? unresolved(topic) : `${RESOLVED}${topic}`
}

/** As the server stores it. */
export function topicName(topic: string): string {
  const name = topic.trim()
  return name === 'general chat' ? '' : name
}
