import { accessAttachment } from '../../permissions/access-attachment.ts'
import type { Handler } from '../handler.ts'

/** GET /thumbnail/status/{realm_id_str}/{filename}. */
export const getThumbnailStatus: Handler<'get-thumbnail-status'> = async ({ input, actor, db }) => {
  const { id } = await accessAttachment(db.read, actor, `${input.realm_id_str}/${input.filename}`)
  return { has_thumbnail: (await db.read.images.of(id))?.state === 'made' }
}
