import { toWireReminder } from '../../domain/messages/reminder.ts'
import type { Handler } from '../handler.ts'

/** GET /reminders (REC-8): the next one first. */
export const getReminders: Handler<'get-reminders'> = async ({ actor, db }) => ({
  reminders: (await db.read.reminders.of(actor.id)).map((reminder) => toWireReminder(reminder, actor.id)),
})
