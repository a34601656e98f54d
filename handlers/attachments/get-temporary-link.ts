import { attachmentUrl } from '../../domain/attachments/attachment.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { TEMPORARY_LINK_SECONDS } from '../../domain/limits.ts'
import { accessAttachment } from '../../permissions/access-attachment.ts'
import type { Handler } from '../handler.ts'

/** GET /user_uploads/{realm_id_str}/{filename}. All parts of the link are signed. */
export const getTemporaryLink: Handler<'get-temporary-link'> = async ({ input, actor, db, clock, secrets }) => {
  const { pathId } = await accessAttachment(db.read, actor, `${input.realm_id_str}/${input.filename}`)
  const expiresAt = unixSeconds(clock) + TEMPORARY_LINK_SECONDS
  return { url: attachmentUrl(`temporary/${expiresAt}/${secrets.signLink(pathId, expiresAt)}/${pathId}`) }
}
