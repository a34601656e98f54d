import type { UserId } from '../domain/ids.ts'
import { type Reminder, toWireReminder } from '../domain/messages/reminder.ts'
import type { OwnNoun } from './own-rows.ts'

/** Reminders of one account, whose events name whom they are for. */
export function remindersOf(userId: UserId): OwnNoun<Reminder> {
  return {
    what: 'reminders',
    rows: (tx) => tx.reminders,
    most: { count: 500, bytes: 4 * 1024 * 1024 },
    unknown: 'Reminder does not exist',
    added: (rows) => [{ type: 'reminders', op: 'add', reminders: rows.map((row) => toWireReminder(row, userId)) }],
    // Clients know no changes of reminders: one that failed goes, and comes again as it is.
    updated: (row) => ({ type: 'reminders', op: 'add', reminders: [toWireReminder(row, userId)] }),
    removed: (reminder_id) => ({ type: 'reminders', op: 'remove', reminder_id }),
  }
}
