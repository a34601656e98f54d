import { addOwnRow } from '../../actions/own-rows.ts'
import { remindersOf } from '../../actions/reminders.ts'
import { requireFuture } from '../../actions/scheduled-messages.ts'
import type { MessageId } from '../../domain/ids.ts'
import { reminderContent, reminderNote } from '../../domain/messages/reminder.ts'
import { accessMessage } from '../../permissions/access-message.ts'
import { withVisibleSenders } from '../../permissions/visible-users.ts'
import type { Handler } from '../handler.ts'

/** POST /reminders (REMIND-1 to REMIND-8): for the caller alone, about any message that the caller can read. */
export const createReminder: Handler<'create-reminder'> = async (services) => {
  const { input, actor: caller, write, db, site, render } = services
  const messageId = input.message_id as MessageId
  const note = reminderNote(input.note ?? '')
  const viewed = await accessMessage(db.read, caller, messageId)
  const [shown] = await withVisibleSenders(db.read, caller, site, [viewed])
  const content = reminderContent(shown?.message, note)
  const rendered = await render(content)
  const given = { messageId, note, content, renderedContent: rendered.html, hasFailed: false }
  const { id } = await write(async (tx, actor) => {
    await accessMessage(tx, actor, messageId)
    requireFuture(tx, input.scheduled_delivery_timestamp)
    const deliverAt = input.scheduled_delivery_timestamp
    return addOwnRow(tx, actor.id, remindersOf(actor.id), { ...given, deliverAt })
  })
  return { reminder_id: id }
}
