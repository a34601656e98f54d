import { checkSendsTyping, typingRecipients, wantingTyping } from '../../actions/typing.ts'
import { unixSeconds } from '../../domain/clock.ts'
import type { MessageId } from '../../domain/ids.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import { checkContentEdit } from '../../permissions/message-rules.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/{message_id}/typing (facts/events.md, typing_edit_message): for whoever may edit the message. */
export const setTypingStatusForEdit: Handler<'set-typing-status-for-edit'> = async ({
  input,
  actor,
  db,
  clock,
  organization,
}) => {
  const { message, channel } = await accessMessageToChange(db.read, actor, input.message_id as MessageId)
  checkContentEdit(actor, message, { organization, now: unixSeconds(clock) })
  const { place } = message
  await checkSendsTyping(db.read, actor, place.kind)
  const memberIds = place.kind === 'direct' ? place.members.map((member) => member.id) : []
  const wanting =
    place.kind === 'direct' ? await wantingTyping(db.read, memberIds) : await typingRecipients(db.read, place.channelId)
  // Where older messages are hidden, only those who got this one may know of it.
  const userIds =
    channel && !sharesHistory(channel)
      ? await db.read.receipts.receivedAmong(channel.originId, message.id, wanting)
      : wanting
  const recipient =
    place.kind === 'direct'
      ? { type: 'direct' as const, user_ids: memberIds }
      : { type: 'channel' as const, channel_id: place.channelId, topic: place.topic }
  if (userIds.length > 0) {
    await db.transaction(async (tx) =>
      tx.events.append(
        { type: 'typing_edit_message', op: input.op, sender_id: actor.id, message_id: message.id, recipient },
        { to: 'users', userIds },
      ),
    )
  }
  return {}
}
