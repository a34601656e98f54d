import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Tx } from '../../db/repositories.ts'
import type { UploadedImage } from '../../domain/attachments/thumbnails.ts'
import type { MessageId } from '../../domain/ids.ts'
import { hasPlaceholder, withPreviews } from '../../domain/markdown/previews.ts'
import { notificationBot } from '../bots/notification-bot.ts'
import { marksAfterChange } from './marks-after-change.ts'
import { messageAudience, receptionOf } from './message-audience.ts'

/**
 * Maximum number of messages changed in one transaction. Each has an event for its own audience, and other writers
 * wait.
 */
const MESSAGES_A_TURN = 20
/**
 * If a file is deleted, at most this many messages with its placeholder are changed; more would keep others waiting.
 */
const MAX_TOLD_OF_END = 200

/**
 * Replaces the placeholder of a processed image in some messages after `after`, and tells those who see them.
 *
 * @returns the last message that was handled; undefined if none is left
 */
export async function replacePlaceholders(tx: Tx, image: UploadedImage, after: number): Promise<number | undefined> {
  const ids = await tx.attachments.messagesAfter(image.attachmentId, after, MESSAGES_A_TURN)
  await replaceIn(tx, ids, image)
  return ids.length === MESSAGES_A_TURN ? ids.at(-1) : undefined
}

/** Called before an image is deleted whose placeholder may still be shown, because nobody would replace it later. */
export async function removePlaceholders(tx: Tx, attachmentId: number): Promise<void> {
  const image = await tx.images.of(attachmentId)
  if (!image || (image.isTold && image.state !== 'waiting')) return
  const ids = await tx.attachments.messagesBefore(attachmentId, Number.MAX_SAFE_INTEGER, MAX_TOLD_OF_END)
  await replaceIn(tx, ids, { ...image, state: 'broken' })
}

async function replaceIn(tx: Tx, ids: readonly MessageId[], image: UploadedImage): Promise<void> {
  // The viewer makes no difference here.
  const { id: viewer } = await notificationBot(tx)
  for (const id of ids) {
    const viewed = await tx.messages.toChange(viewer, id)
    if (!viewed || !hasPlaceholder(viewed.message.renderedContent)) continue
    const others = (await tx.attachments.ofMessage(id)).map((one) => one.pathId)
    const images = (await tx.images.byPathIds(others)).filter((one) => one.attachmentId !== image.attachmentId)
    const html = withPreviews(viewed.message.renderedContent, [...images, image])
    if (html === viewed.message.renderedContent) continue
    await tx.messages.setRenderedContent(id, html)
    await announceRendering(tx, viewed, html)
  }
}

/** Announces HTML that changed although nobody edited it. */
async function announceRendering(tx: Tx, viewed: MessageToChange, html: string): Promise<void> {
  const { place, id, content } = viewed.message
  const update = {
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    edit_timestamp: tx.organization.now,
    ...(place.kind === 'channel' && { stream_id: place.channelId, stream_name: place.channelName }),
    content,
    rendered_content: html,
  }
  const marks = await marksAfterChange(tx, receptionOf(viewed), await tx.messages.mentionsChannel(id))
  tx.events.append({ type: 'update_message', update, ...marks }, await messageAudience(tx, viewed))
}
