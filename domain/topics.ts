import { accept, type Checked, refuse } from './checked.ts'
import { cutTo } from './code-points.ts'

/** Code points of a topic name, max_topic_length of POST /register (LIMIT-14). */
export const MAX_TOPIC_LENGTH = 60

/** What clients that do not know the empty topic see in its place, realm_empty_topic_display_name (EMPTY-2). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

/** How a topic begins that is resolved. */
export const RESOLVED_TOPIC_PREFIX = '✔ '

/**
 * The topic name to store for what a client sent: without white space at its ends, the display name of the empty topic
 * as the empty string (EMPTY-3 to EMPTY-7), a long one cut to MAX_TOPIC_LENGTH and ending in `...` (LIMIT-14).
 * Null bytes and other control characters are refused.
 */
export function normalizeTopicInput(raw: string): Checked<string> {
  const topic = raw.toWellFormed().trim()
  if (topic.includes('\0')) return refuse('Topic must not contain null bytes')
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(topic)) return refuse('Topic must not contain control characters')
  if (topic === EMPTY_TOPIC_DISPLAY_NAME) return accept('')
  return accept(cutTo(topic, MAX_TOPIC_LENGTH, '...'))
}

/** The topic name in an answer or event: the display name for the empty topic unless `allowEmpty` (EMPTY-9, EMPTY-10). */
export function topicForOutput(name: string, allowEmpty: boolean): string {
  return name === '' && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : name
}
