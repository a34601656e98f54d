import type { EventOf } from '../../generated/operations.ts'
import { BadRequestError } from '../errors.ts'
import { cutTo } from '../text/code-points.ts'
import { invalidPosition } from '../text/names.ts'
import { topicKey } from '../text/text-keys.ts'

/** Code points of a topic name, max_topic_length of POST /register (LIMIT-14). */
export const MAX_TOPIC_LENGTH = 60

/** The name that clients see instead if they do not know the empty topic: realm_empty_topic_display_name (EMPTY-2). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

/** The name that clients sent for a message without a topic before the empty topic existed. */
const NO_TOPIC = '(no topic)'

/** Prefix of resolved topics. */
export const RESOLVED_TOPIC_PREFIX = '✔ '

/** Whether the text has only characters that topic names can have. */
export function isTopic(raw: string): boolean {
  return invalidPosition(raw.toWellFormed().trim()) === undefined
}

/**
 * Returns the topic name that a client means: without surrounding white space, with the display name of the empty topic
 * replaced by the empty string (EMPTY-3 to EMPTY-7), and a long one cut to MAX_TOPIC_LENGTH and ending in `...`
 * (LIMIT-14).
 *
 * @throws {BadRequestError} for characters that names must not contain, null bytes among them
 */
export function normalizeTopicInput(raw: string): string {
  const topic = raw.toWellFormed().trim()
  const position = invalidPosition(topic)
  if (position !== undefined) throw new BadRequestError(`Invalid character in topic, at position ${position}!`)
  if (topic === EMPTY_TOPIC_DISPLAY_NAME) return ''
  return cutTo(topic, MAX_TOPIC_LENGTH, '...')
}

/**
 * Same as above for a topic to which a message is sent. There, `(no topic)` is also the empty topic (levels 370 and
 * 372).
 */
export function normalizeTopicToSendTo(raw: string): string {
  const topic = normalizeTopicInput(raw)
  return topic === NO_TOPIC ? '' : topic
}

/** The effect of a new name on a topic. */
export interface TopicChange {
  /** Whether it becomes resolved or unresolved. */
  readonly mark: 'resolved' | 'unresolved' | undefined
  /** Whether something else changes as well, even if only the case of letters. */
  readonly isRenamed: boolean
  /** Whether it becomes another topic, apart from the mark: names with the same key are one topic. */
  readonly isOther: boolean
}

/** Two marks count like one: the topic is resolved (NOTE-6). */
export function topicChange(from: string, to: string): TopicChange {
  const [wasResolved, isResolved] = [isMarked(from), isMarked(to)]
  if (wasResolved === isResolved) return { mark: undefined, ...difference([[from, to]]) }
  if (isResolved) return { mark: 'resolved', ...difference([[to, withMark(from)]]) }
  const either: Pair[] = [
    [from, withMark(to)],
    [withoutMark(from), to],
  ]
  return { mark: 'unresolved', ...difference(either) }
}

type Pair = readonly [string, string]

/** Whether the names in each pair are equal, and whether they are one topic. */
function difference(pairs: readonly Pair[]): Pick<TopicChange, 'isRenamed' | 'isOther'> {
  return {
    isRenamed: pairs.every(([one, other]) => one !== other),
    isOther: pairs.every(([one, other]) => topicKey(one) !== topicKey(other)),
  }
}

/** Whether the name is the empty topic with the mark of resolved ones, which it cannot have (STATE-TOPIC-3). */
export function isEmptyTopicMarked(name: string): boolean {
  if (!isMarked(name)) return false
  return normalizeTopicToSendTo(withoutMark(name)) === ''
}

function isMarked(name: string): boolean {
  return name.startsWith(RESOLVED_TOPIC_PREFIX)
}

/** Limits the length to that of a topic. */
function withMark(name: string): string {
  return cutTo(RESOLVED_TOPIC_PREFIX + name, MAX_TOPIC_LENGTH, '...')
}

function withoutMark(name: string): string {
  return name.slice(RESOLVED_TOPIC_PREFIX.length).trim()
}

/**
 * Returns the topic name for an answer or event: the display name in place of the empty topic, unless `allowEmpty`
 * (EMPTY-9, EMPTY-10).
 */
export function topicForOutput(name: string, allowEmpty: boolean): string {
  return name === '' && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : name
}

/** Channel name, topic, and time of muting of each. */
export type MutedTopics = EventOf<'muted_topics'>['muted_topics']

/** Returns the topics with the display name of the empty topic, for clients that do not know it. */
export function mutedTopicsForOutput(topics: MutedTopics, allowEmpty: boolean): MutedTopics {
  return topics.map(([channel = '', topic = '', time = 0]) => [
    channel,
    topicForOutput(String(topic), allowEmpty),
    time,
  ])
}
