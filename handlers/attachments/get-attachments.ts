import { type Attachment, toWireAttachment } from '../../domain/attachments/attachment.ts'
import type { Handler } from '../handler.ts'

/** GET /attachments: the list and its total size come from the same snapshot. */
export const getAttachments: Handler<'get-attachments'> = async ({ actor, db, pauses }) => {
  const { attachments, messageIds, spaceUsed } = await db.snapshot(async (read) => {
    const attachments = await read.attachments.ofOwner(actor.id)
    const ids = attachments.map((one) => one.id)
    const messageIds = await read.attachments.messageIds(ids, { pauses })
    return { attachments, messageIds, spaceUsed: await read.attachments.spaceUsed() }
  })
  const toWire = (one: Attachment) => toWireAttachment(one, messageIds.get(one.id) ?? [])
  return { attachments: await pauses.map(attachments, toWire), upload_space_used: spaceUsed }
}
