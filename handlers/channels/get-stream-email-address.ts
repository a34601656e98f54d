import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import { channelToSend } from '../../permissions/posting.ts'
import type { Handler } from '../handler.ts'

/** GET /streams/{stream_id}/email_address. Parley receives no mail, so there is no address (DIFF-CHANNEL-MAIL). */
export const getStreamEmailAddress: Handler<'get-stream-email-address'> = async ({ input, actor, db }) => {
  const { channel } = await accessChannel(db.read, actor, input.stream_id)
  if (!(await channelToSend(db.read, actor, channel))) throw new BadRequestError('Invalid channel ID')
  const { sender_id: senderId = actor.id } = input
  if (senderId !== actor.id && (await db.read.users.byId(senderId as UserId))?.botOwnerId !== actor.id) {
    throw new BadRequestError('sender_id: this is neither you nor a bot of yours.')
  }
  return { email: '' }
}
