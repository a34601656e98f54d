import type { Readers, Tx } from '../../db/repositories.ts'
import type { UploadedImage } from '../../domain/attachments/thumbnails.ts'
import type { UserId } from '../../domain/ids.ts'
import { hasPreviews, withPreviews } from '../../domain/markdown/previews.ts'
import type { RenderedMessage } from '../../domain/markdown/render.ts'
import { mayReadAttachment } from '../../permissions/access-attachment.ts'
import type { Actor } from '../../permissions/actor.ts'

type Rendered = RenderedMessage<UserId>

/** Adds previews of the images that `writer` may read, if the organization shows any. */
export async function showImages(read: Readers, writer: Actor, rendered: Rendered): Promise<Rendered> {
  if (!hasPreviews(rendered.html)) return rendered
  const images: UploadedImage[] = []
  if (read.organization.settings.inline_image_preview) {
    const { attachmentPathIds: pathIds } = rendered
    const files = new Map((await read.attachments.byPathIds(pathIds)).map((one) => [one.pathId, one]))
    for (const image of await read.images.byPathIds(pathIds)) {
      const file = files.get(image.pathId)
      if (file && (await mayReadAttachment(read, writer, file))) images.push(image)
    }
  }
  return { ...rendered, html: withPreviews(rendered.html, images) }
}

/**
 * Returns the message as it should be stored, because a thumbnail may have been made, or a file deleted, since it was
 * rendered. From here on the thumbnail job and the deletion find the message themselves.
 */
export async function withPresentImages(tx: Tx, rendered: Rendered): Promise<Rendered> {
  if (!hasPreviews(rendered.html)) return rendered
  const images = await tx.images.byPathIds(rendered.attachmentPathIds)
  return { ...rendered, html: withPreviews(rendered.html, images) }
}
