import { BadRequestError } from '../errors.ts'
import { cutTo } from '../text/code-points.ts'

/** Code points of a message's content, max_message_length of POST /register (LIMIT-15). */
export const MAX_MESSAGE_LENGTH = 10_000

/** Last line of content that was cut. */
export const TRUNCATION_NOTICE = '\n[message truncated]'

/** Stored for a message whose whole text was removed (MSG-EDIT-58). */
const DELETED_CONTENT = '(deleted)'

/**
 * Returns the content to store for an edit: as for a new message, except that blank content means a message without its
 * text.
 */
export function normalizeEditedContent(raw: string): string {
  return raw.trim() === '' ? DELETED_CONTENT : normalizeContent(raw)
}

/**
 * Returns the content to store: without trailing white space and leading newlines, and cut to MAX_MESSAGE_LENGTH with a
 * last line that says so (LIMIT-15). Spaces at the start of the first line stay, because they make it a code block.
 *
 * @throws {BadRequestError} for blank content and null bytes
 */
export function normalizeContent(raw: string): string {
  const content = raw
    .toWellFormed()
    .trimEnd()
    .replace(/^(?:\r?\n)+/, '')
  if (content === '') throw new BadRequestError('Message must not be empty')
  if (content.includes('\0')) throw new BadRequestError('Message must not contain null bytes')
  return cutTo(content, MAX_MESSAGE_LENGTH, TRUNCATION_NOTICE)
}
