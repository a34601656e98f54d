import { removeFile } from '../../actions/attachments/remove-file.ts'
import { storageKeyOf } from '../../domain/attachments/attachment.ts'
import { accessOwnAttachment } from '../../permissions/access-attachment.ts'
import type { Handler } from '../handler.ts'

/** DELETE /attachments/{attachment_id}. The bytes are removed last. */
export const deleteAttachment: Handler<'delete-attachment'> = async ({ input, write, uploads }) => {
  const { pathId } = await write(async (tx, actor) => {
    const attachment = await accessOwnAttachment(tx, actor, input.attachment_id)
    await removeFile(tx, attachment)
    return attachment
  })
  await uploads.store.remove(storageKeyOf(pathId))
  return {}
}
