import { Readable } from 'node:stream'
import { UnknownFileError } from '../../domain/errors.ts'
import { accessAttachment } from '../../permissions/access-attachment.ts'
import { type Handler, StoredFileAnswer } from '../handler.ts'

/** GET /user_uploads/thumbnail/…: for users who may read the image itself. */
export const getThumbnail: Handler<'get-thumbnail'> = async ({ input, actor, db }) => {
  const pathId = `${input.realm_id_str}/${input.file_key}/${input.file_name}`
  const { id, createdAt } = await accessAttachment(db.read, actor, pathId)
  const bytes = await db.read.images.thumbnail(id, input.thumbnail_format)
  if (!bytes) throw new UnknownFileError()
  const file = {
    id,
    createdAt,
    key: `${input.file_key}/${input.thumbnail_format}`,
    fileName: input.thumbnail_format,
    contentType: 'image/webp',
    size: bytes.length,
  }
  const open = async () => ({
    size: bytes.length,
    bytes: (first: number, last: number) => Readable.from([bytes.subarray(first, last + 1)]),
    close: async () => undefined,
  })
  return new StoredFileAnswer(file, { open })
}
