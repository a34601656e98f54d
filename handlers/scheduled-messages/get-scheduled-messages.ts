import { toWireScheduledMessage } from '../../domain/messages/scheduled-message.ts'
import type { Handler } from '../handler.ts'

/** GET /scheduled_messages: the next one first. */
export const getScheduledMessages: Handler<'get-scheduled-messages'> = async ({ actor, db }) => ({
  scheduled_messages: (await db.read.scheduledMessages.of(actor.id)).map(toWireScheduledMessage),
})
