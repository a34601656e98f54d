import type { Schemas } from '../../generated/operations.ts'
import { BadRequestError } from '../errors.ts'
import type { MessageId, UserId } from '../ids.ts'
import { MAX_REMINDER_NOTE_LENGTH } from '../limits.ts'
import { isLongerThan } from '../text/code-points.ts'
import { UNKNOWN_NAME } from '../users/unknown-user.ts'
import type { Message } from './message.ts'
import { silentMention, withQuote, wroteWhere } from './quoted-message.ts'

/** A request to be reminded of a message at a given time. */
export interface Reminder {
  readonly id: number
  readonly messageId: MessageId
  /** Markdown; empty for none. */
  readonly note: string
  /** The text that will be sent, as of the creation of the reminder. It is made again when it is sent. */
  readonly content: string
  readonly renderedContent: string
  /** UNIX seconds. */
  readonly deliverAt: number
  readonly hasFailed: boolean
}

export function toWireReminder(reminder: Reminder, userId: UserId): Schemas['Reminder'] {
  const { id, messageId, content, renderedContent, deliverAt, hasFailed } = reminder
  return {
    reminder_id: id,
    type: 'private',
    to: [userId],
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: deliverAt,
    failed: hasFailed,
    reminder_target_message_id: messageId,
  }
}

/** @throws {BadRequestError} if it is too long (REMIND-8) */
export function reminderNote(given: string): string {
  const note = given
    .toWellFormed()
    .trimEnd()
    .replace(/^(?:\r?\n)+/, '')
  if (!isLongerThan(note, MAX_REMINDER_NOTE_LENGTH)) return note
  throw new BadRequestError(`Maximum reminder note length: ${MAX_REMINDER_NOTE_LENGTH} characters`)
}

/**
 * Returns the Markdown that the notification bot sends: the author and a quote, with a link to the message. The note
 * comes last, because it may open a block without closing it.
 *
 * @param message undefined if the reader can no longer read it
 */
export function reminderContent(message: Message | undefined, note: string): string {
  const noted = note === '' ? '' : `\n\nYour note:\n\n${note}`
  if (!message) return `You asked to be reminded of a message that you can no longer read.${noted}`
  const { sender } = message
  // Readers cannot mention somebody whom they cannot see.
  const author = sender.fullName === UNKNOWN_NAME ? UNKNOWN_NAME : silentMention(sender)
  const head = `You asked to be reminded of what ${author} ${wroteWhere(message)}:`
  return withQuote(head, message.content, noted)
}
