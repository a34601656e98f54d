import { deleteMessage as remove } from '../../actions/messages/delete-message.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Handler } from '../handler.ts'

/** DELETE /messages/{message_id}. */
export const deleteMessage: Handler<'delete-message'> = async ({ input, write }) => {
  await write((tx, actor) => remove(tx, actor, input.message_id as MessageId))
  return {}
}
