import { tellSelf } from '../../actions/tell-self.ts'
import { attachmentUrl, MIB, toWireAttachment } from '../../domain/attachments/attachment.ts'
import { displayFileName, pathFileName } from '../../domain/attachments/file-names.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { ApiError, FileTooLargeError, UploadQuotaError } from '../../domain/errors.ts'
import { contentTypeOf } from '../../uploads/content-type.ts'
import type { Handler } from '../handler.ts'

/** POST /user_uploads. The file is in its place before the transaction that makes it known. */
export const uploadFile: Handler<'upload-file'> = async ({ db, write, clock, uploads, receiveFile }) => {
  const { limits, store } = uploads
  if (limits.maxFileMib === 0) throw new FileTooLargeError(0)
  const { name, file } = await receiveFile(limits.maxFileMib, (bytes) => store.receive(bytes))
  const fileName = displayFileName(name)
  const attachment = {
    pathId: `${db.read.organization.id}/${file.key}/${pathFileName(fileName)}`,
    fileName,
    contentType: await contentTypeOf(file.head, file.head.length === file.size),
    size: file.size,
    createdAt: unixSeconds(clock),
  }
  const quotaBytes = limits.quotaMib === null ? null : limits.quotaMib * MIB
  try {
    await file.keep(() =>
      write(async (tx, actor) => {
        const inserted = await tx.attachments.insert({ ...attachment, ownerId: actor.id }, quotaBytes)
        if (!inserted) throw new UploadQuotaError()
        tellSelf(tx, actor.id, {
          type: 'attachment',
          op: 'add',
          attachment: toWireAttachment(inserted, []),
          upload_space_used: await tx.attachments.spaceUsed(),
        })
      }),
    )
  } catch (err) {
    // After any other failure the row may be there all the same; the collection of orphans looks.
    if (err instanceof ApiError) await file.discard()
    throw err
  }
  const url = attachmentUrl(attachment.pathId)
  return { url, uri: url, filename: fileName }
}
