import { editableFlag, updateFlags } from '../../actions/update-flags.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/flags: one of the caller's own flags on messages named by their ids. */
export const updateMessageFlags: Handler<'update-message-flags'> = async ({ input, actor, db }) => {
  const { op } = input
  const flag = editableFlag(input.flag)
  const result = await db.transaction((tx) => updateFlags(tx, actor, input.messages as MessageId[], { op, flag }))
  return {
    messages: [...result.messageIds],
    ...(flag === 'read' &&
      op === 'remove' && { ignored_because_not_subscribed_channels: [...result.notSubscribedChannelIds] }),
  }
}
