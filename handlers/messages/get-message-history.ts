import { BadRequestError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { messageHistory } from '../../domain/message-history.ts'
import { accessMessage } from '../../permissions/access-message.ts'
import type { Handler } from '../handler.ts'

/** GET /messages/{message_id}/history (facts/operations.md). */
export const getMessageHistory: Handler<'get-message-history'> = async ({ input, actor, db, organization }) => {
  const policy = organization.settings.message_edit_history_visibility_policy
  if (policy === 'none') throw new BadRequestError('Message edit history is disabled in this organization')
  const { message } = await accessMessage(db.read, actor, input.message_id as MessageId)
  return { message_history: messageHistory(message, { policy, allowEmptyTopicName: input.allow_empty_topic_name }) }
}
