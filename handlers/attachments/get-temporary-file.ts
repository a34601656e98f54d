import { unixSeconds } from '../../domain/clock.ts'
import { UnknownFileError } from '../../domain/errors.ts'
import { type Handler, StoredFileAnswer } from '../handler.ts'

/**
 * GET /user_uploads/temporary/…: the file, for anybody with a link that has not expired. A deleted file is gone at
 * once.
 */
export const getTemporaryFile: Handler<'get-temporary-file'> = async ({ input, db, clock, secrets, uploads }) => {
  const pathId = `${input.realm_id_str}/${input.file_key}/${input.file_name}`
  const isValid = secrets.isLinkSignature(input.signature, pathId, input.expires_at)
  if (!isValid || input.expires_at < unixSeconds(clock)) throw new UnknownFileError()
  const attachment = await db.read.attachments.byPathId(pathId)
  if (!attachment) throw new UnknownFileError()
  return StoredFileAnswer.of(attachment, uploads.store)
}
