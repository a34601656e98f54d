import { toWireAttachment } from '../../domain/attachment.ts'
import type { Handler } from '../handler.ts'

/** GET /attachments (facts/operations.md): list and sum are of one moment. */
export const getAttachments: Handler<'get-attachments'> = ({ actor, db }) =>
  db.snapshot(async (read) => {
    const attachments = await read.attachments.ofOwner(actor.id)
    const messageIds = await read.attachments.messageIds(attachments.map((one) => one.id))
    return {
      attachments: attachments.map((one) => toWireAttachment(one, messageIds.get(one.id) ?? [])),
      upload_space_used: await read.attachments.spaceUsed(),
    }
  })
