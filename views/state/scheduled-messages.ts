import { toWireScheduledMessage } from '../../domain/messages/scheduled-message.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `scheduled_messages`. */
export const part: StatePart = async ({ scheduledMessages }, actor, { isWanted }) => ({
  ...(isWanted('scheduled_messages') && {
    scheduled_messages: (await scheduledMessages.of(actor.id)).map(toWireScheduledMessage),
  }),
})
