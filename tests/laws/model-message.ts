import type { Person } from './ground.ts'
import type { ModelChannel } from './model-channel.ts'
import { TOPICS } from './spellings.ts'

/** How the name of a topic begins that is resolved. */
const RESOLVED = '✔ '

/** What a message said, until it was edited. */
export interface Version {
  /** Stands in its content and nowhere else; empty for what the server writes by itself. */
  readonly mark: string
  /** Where the message was while it said this. */
  readonly channels: Set<ModelChannel | undefined>
  /** Who could read it at any time: events told them then. */
  readonly onceReadableBy: Set<Person>
}

export interface ModelMessage {
  readonly id: number
  /** Undefined of notices, which the server sends. */
  readonly sender: Person | undefined
  /** The last one is what it says now. */
  readonly versions: Version[]
  /** Without the mark. */
  content: string
  /** Where it was sent. */
  readonly origin: ModelChannel | undefined
  /** Where it is; undefined for direct messages. */
  channel: ModelChannel | undefined
  /** As it was sent, or as the last move has it; undefined for direct messages. */
  topic: string | undefined
  /** Who got it at that moment: the subscribers, or the people of the conversation. */
  readonly receivers: ReadonlySet<Person>
  /** Those of them who have read it: the sender, if it says so, and whoever has left its channel since, or was left behind by a move. */
  readonly readBy: Set<Person>
  /** Of the receivers, who has the flag of a mention by name, and of one of those who take part in the topic. */
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

/** As the server has it. */
export function topicName(topic: string): string {
  const name = topic.trim()
  return name === 'general chat' ? '' : name
}
