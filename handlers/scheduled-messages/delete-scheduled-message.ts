import { removeOwn } from '../../actions/own-rows.ts'
import { SCHEDULED_MESSAGES } from '../../actions/scheduled-messages.ts'
import type { Handler } from '../handler.ts'

/** DELETE /scheduled_messages/{scheduled_message_id}: it will not be sent. */
export const deleteScheduledMessage: Handler<'delete-scheduled-message'> = async ({ input, write }) => {
  await write((tx, { id }) => removeOwn(tx, id, SCHEDULED_MESSAGES, input.scheduled_message_id))
  return {}
}
