import { removeOwn } from '../../actions/own-rows.ts'
import { remindersOf } from '../../actions/reminders.ts'
import type { Handler } from '../handler.ts'

/** DELETE /reminders/{reminder_id} (STATE-OTHER-3). */
export const deleteReminder: Handler<'delete-reminder'> = async ({ input, write }) => {
  await write((tx, { id }) => removeOwn(tx, id, remindersOf(id), input.reminder_id))
  return {}
}
