import { accessAttachment } from '../../permissions/access-attachment.ts'
import { type Handler, StoredFileAnswer } from '../handler.ts'

/** GET /user_uploads/… outside of /api/v1: the file itself, for users who may read it. */
export const getUploadedFile: Handler<'get-uploaded-file'> = async ({ input, actor, db, uploads }) => {
  const pathId = `${input.realm_id_str}/${input.file_key}/${input.file_name}`
  return StoredFileAnswer.of(await accessAttachment(db.read, actor, pathId), uploads.store)
}
