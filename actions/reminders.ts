import type { UserId } from '../domain/ids.ts'
import { type Reminder, toWireReminder } from '../domain/messages/reminder.ts'
import type { OwnNoun } from './own-rows.ts'

/** Reminders of one account; their events name the account. */
export function remindersOf(userId: UserId): OwnNoun<Reminder> {
  return {
    what: 'reminders',
    rows: (tx) => tx.reminders,
    most: { count: 500, bytes: 4 * 1024 * 1024 },
    unknown: 'Reminder does not exist',
    added: (rows) => [{ type: 'reminders', op: 'add', reminders: rows.map((row) => toWireReminder(row, userId)) }],
    // Clients have no event for a changed reminder, so a failed one is removed and added again.
    updated: (row) => ({ type: 'reminders', op: 'add', reminders: [toWireReminder(row, userId)] }),
    removed: (reminder_id) => ({ type: 'reminders', op: 'remove', reminder_id }),
  }
}
