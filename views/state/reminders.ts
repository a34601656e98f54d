import { toWireReminder } from '../../domain/messages/reminder.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `reminders`. */
export const part: StatePart = async ({ reminders }, actor, { isWanted }) => ({
  ...(isWanted('reminders') && {
    reminders: (await reminders.of(actor.id)).map((reminder) => toWireReminder(reminder, actor.id)),
  }),
})
