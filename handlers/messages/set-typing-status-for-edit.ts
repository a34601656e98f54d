import { checkSendsTyping, typingRecipients, wantingTyping } from '../../actions/typing.ts'
import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Readers } from '../../db/repositories.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import { checkContentEdit } from '../../permissions/message-rules.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/{message_id}/typing, announced as `typing_edit_message`: for users who may edit the message. */
export const setTypingStatusForEdit: Handler<'set-typing-status-for-edit'> = async ({ input, write }) => {
  const messageId = input.message_id as MessageId
  await write(async (tx, actor) => {
    const viewed = await accessMessageToChange(tx, actor, messageId)
    checkContentEdit(actor, viewed.message, tx.organization)
    const { place } = viewed.message
    await checkSendsTyping(tx, actor, place.kind)
    const userIds = await readersWanting(tx, viewed)
    if (userIds.length === 0) return
    const recipient =
      place.kind === 'direct'
        ? { type: 'direct' as const, user_ids: place.members.map((member) => member.id) }
        : { type: 'channel' as const, channel_id: place.channelId, topic: place.topic }
    tx.events.append(
      { type: 'typing_edit_message', op: input.op, sender_id: actor.id, message_id: messageId, recipient },
      { to: 'users', userIds },
    )
  })
  return {}
}

/** Returns readers of the message who want typing notifications. */
async function readersWanting(read: Readers, { message, channel }: MessageToChange): Promise<UserId[]> {
  const { place } = message
  if (place.kind === 'direct') {
    return wantingTyping(
      read,
      place.members.map((member) => member.id),
    )
  }
  const wanting = await typingRecipients(read, place.channelId)
  // If earlier history is hidden, only recipients of this message may know it.
  return channel && !sharesHistory(channel)
    ? read.receipts.receivedAmong(channel.originId, message.id, wanting)
    : wanting
}
