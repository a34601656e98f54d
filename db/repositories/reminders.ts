import type { MessageId } from '../../domain/ids.ts'
import type { Reminder } from '../../domain/messages/reminder.ts'
import { ownRows } from '../own-rows.ts'

interface ReminderRow {
  readonly message_id: MessageId
  readonly note: string
  readonly content: string
  readonly rendered_content: string
  readonly deliver_at: number
  readonly has_failed: number
}

/** Reminders of messages, the next one first. */
export const reminders = ownRows<Reminder, ReminderRow>({
  table: 'reminder',
  texts: ['content', 'rendered_content', 'note'],
  order: 'deliver_at, id',
  toRow: ({ messageId, note, content, renderedContent, deliverAt, hasFailed }) => ({
    message_id: messageId,
    note,
    content,
    rendered_content: renderedContent,
    deliver_at: deliverAt,
    has_failed: hasFailed ? 1 : 0,
  }),
  fromRow: ({ id, message_id, note, content, rendered_content, deliver_at, has_failed }) => ({
    id,
    messageId: message_id,
    note,
    content,
    renderedContent: rendered_content,
    deliverAt: deliver_at,
    hasFailed: has_failed === 1,
  }),
})
