import { receptionOf } from '../../actions/messages/message-audience.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { accessMessage } from '../../permissions/access-message.ts'
import { visibleReaders } from '../../permissions/former-places.ts'
import { visibleIds } from '../../permissions/visible-users.ts'
import type { Handler } from '../handler.ts'

/** GET /messages/{message_id}/read_receipts. */
export const getReadReceipts: Handler<'get-read-receipts'> = async ({ input, actor, db }) => {
  if (!db.read.organization.settings.enable_read_receipts) {
    throw new BadRequestError('Read receipts are disabled in this organization')
  }
  const viewed = await accessMessage(db.read, actor, input.message_id as MessageId)
  const people = { senderId: viewed.message.sender.id, viewerId: actor.id }
  const readers = await db.read.receipts.receipts(receptionOf(viewed), people)
  const told = await visibleReaders(db.read, actor, viewed, readers)
  return { user_ids: [...(await visibleIds(db.read, actor, told))] }
}
