import type { Schemas } from '../../generated/operations.ts'
import { BadRequestError } from '../errors.ts'
import { ascending, type UserId } from '../ids.ts'
import { normalizeContent } from '../messages/message-content.ts'
import { cutTo } from '../text/code-points.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, MAX_TOPIC_LENGTH } from '../topics/topics.ts'

/** Limits of one account: number of drafts, and UTF-8 bytes of all contents. POST /register lists them all. */
export const MAX_DRAFTS = 1000
export const MAX_DRAFT_BYTES = 4 * 1024 * 1024

export type Draft = Schemas['Draft']

/**
 * Returns the draft to store (DRAFT-FIELD-5 to DRAFT-FIELD-15, DRAFT-7, DRAFT-9, EMPTY-7).
 *
 * @param writer left out of the recipients if there are others, as in conversations
 * @param where its place in the request, such as `drafts[0]`
 * @param now UNIX seconds
 */
export function checkDraft(
  given: Schemas['NewDraft'],
  { writer, where, now }: { readonly writer: UserId; readonly where: string; readonly now: number },
): Omit<Draft, 'id'> {
  const { type, to, timestamp = now } = given
  if (given.content.trim() === '') throw new BadRequestError(`${where}["content"] cannot be blank`)
  const content = normalizeContent(given.content)
  if (timestamp < 0) throw new BadRequestError('Timestamp must not be negative.')
  const common = { type, content, timestamp: Math.floor(timestamp) }
  if (type !== 'stream') {
    const people = type === '' ? [] : ascending(to)
    const others = people.filter((id) => id !== writer)
    return { ...common, to: others.length > 0 ? others : people, topic: '' }
  }
  if (to.length !== 1) throw new BadRequestError('Must specify exactly 1 channel ID for channel messages')
  if (given.topic.includes('\0')) throw new BadRequestError('Topic must not contain null bytes')
  const topic = cutTo(given.topic.toWellFormed(), MAX_TOPIC_LENGTH, '...')
  return { ...common, to, topic: topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic }
}
