import { accept, type Checked, refuse } from '../checked.ts'
import { cutTo } from '../text/code-points.ts'

/** Code points of a message's content, max_message_length of POST /register (LIMIT-15). */
export const MAX_MESSAGE_LENGTH = 10_000

/** The last line of what was cut. */
export const TRUNCATION_NOTICE = '\n[message truncated]'

/** What is stored for a message whose whole text was removed (MSG-EDIT-58). */
const DELETED_CONTENT = '(deleted)'

/** The content to store for an edit: as for a new message, but a blank one stands for a message without its text. */
export function normalizeEditedContent(raw: string): Checked<string> {
  return raw.trim() === '' ? accept(DELETED_CONTENT) : normalizeContent(raw)
}

/**
 * The content to store for what a client sent: without trailing white space and leading newlines, an over-long one cut
 * to MAX_MESSAGE_LENGTH and ending in a line that says so (LIMIT-15). Blank content and null bytes are refused.
 * The spaces that begin the first line stay: they make it a code block.
 */
export function normalizeContent(raw: string): Checked<string> {
  const content = raw
    .toWellFormed()
    .trimEnd()
    .replace(/^(?:\r?\n)+/, '')
  if (content === '') return refuse('Message must not be empty')
  if (content.includes('\0')) return refuse('Message must not contain null bytes')
  return accept(cutTo(content, MAX_MESSAGE_LENGTH, TRUNCATION_NOTICE))
}
