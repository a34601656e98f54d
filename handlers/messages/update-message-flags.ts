import { editableFlag, updateFlags } from '../../actions/messages/update-flags.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/flags: sets one of the caller's flags on messages by ID; the answer repeats the IDs. */
export const updateMessageFlags: Handler<'update-message-flags'> = async ({ input, write }) => {
  const { op } = input
  const flag = editableFlag(input.flag)
  const result = await write((tx, actor) => updateFlags(tx, actor, input.messages as MessageId[], { op, flag }))
  return {
    messages: [...input.messages],
    ...(flag === 'read' &&
      op === 'remove' && { ignored_because_not_subscribed_channels: [...result.notSubscribedChannelIds] }),
  }
}
