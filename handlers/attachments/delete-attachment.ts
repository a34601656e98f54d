import { tellSelf } from '../../actions/tell-self.ts'
import { storageKeyOf } from '../../domain/attachments/attachment.ts'
import { accessOwnAttachment } from '../../permissions/access-attachment.ts'
import type { Handler } from '../handler.ts'

/** DELETE /attachments/{attachment_id}. The bytes go last: no row is ever without its file. */
export const deleteAttachment: Handler<'delete-attachment'> = async ({ input, write, uploads }) => {
  const { pathId } = await write(async (tx, actor) => {
    const attachment = await accessOwnAttachment(tx, actor, input.attachment_id)
    await tx.attachments.delete(attachment)
    tellSelf(tx, actor.id, {
      type: 'attachment',
      op: 'remove',
      attachment: { id: attachment.id },
      upload_space_used: await tx.attachments.spaceUsed(),
    })
    return attachment
  })
  await uploads.store.remove(storageKeyOf(pathId))
  return {}
}
