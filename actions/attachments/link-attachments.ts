import type { Tx } from '../../db/repositories.ts'
import { type Attachment, isImage, toWireAttachment } from '../../domain/attachments/attachment.ts'
import { chunksOf } from '../../domain/chunks.ts'
import type { MessageId } from '../../domain/ids.ts'
import { mayReadAttachment } from '../../permissions/access-attachment.ts'
import type { Actor } from '../../permissions/actor.ts'
import { announceToSelf } from '../announce-to-self.ts'

/** Columns of a message that depend on its files: `has_attachment` and `has_image`. */
export interface AttachmentMarks {
  readonly hasAttachment: boolean
  readonly hasImage: boolean
}

/**
 * Records that a new message refers to the files of `pathIds`, so that its readers may read them, and tells their
 * owners. Files that the author may not read are skipped, because knowing an address gives no right to share the file.
 */
export async function linkAttachments(
  tx: Tx,
  messageId: MessageId,
  pathIds: readonly string[],
  author: Actor,
): Promise<AttachmentMarks> {
  const attachments = await readable(tx, pathIds, author)
  await tx.attachments.link(
    messageId,
    attachments.map((one) => one.id),
  )
  await announceFiles(tx, attachments)
  return marksOf(attachments)
}

/**
 * Same as above for a message whose content has changed; updates its columns.
 *
 * @param pathIds all files that the new content refers to
 * @returns the editor's own files that no message refers to any more (`detached_uploads`, ATTACH-7)
 */
export async function relinkAttachments(
  tx: Tx,
  messageId: MessageId,
  pathIds: readonly string[],
  editor: Actor,
): Promise<ReturnType<typeof toWireAttachment>[]> {
  const before = await tx.attachments.ofMessage(messageId)
  if (before.length === 0 && pathIds.length === 0) return []
  const wanted = new Set(pathIds)
  const known = new Set(before.map((one) => one.pathId))
  const kept = before.filter((one) => wanted.has(one.pathId))
  const removed = before.filter((one) => !wanted.has(one.pathId))
  const added = await readable(
    tx,
    pathIds.filter((pathId) => !known.has(pathId)),
    editor,
  )
  await tx.attachments.unlinkPresent(
    messageId,
    removed.map((one) => one.id),
  )
  await tx.attachments.link(
    messageId,
    added.map((one) => one.id),
  )
  await tx.messages.setAttachmentMarks(messageId, marksOf([...kept, ...added]))
  await announceFiles(tx, [...removed, ...added])
  const own = removed.filter(({ ownerId }) => ownerId === editor.id)
  const referring = await tx.attachments.messageIds(
    own.map(({ id }) => id),
    { limit: 1 },
  )
  return own.filter(({ id }) => !referring.has(id)).map((one) => toWireAttachment(one, []))
}

/** For messages that are deleted, at least one. @returns their files, which stay with their owners: `announceFiles` */
export async function unlinkAttachments(tx: Tx, messageIds: readonly MessageId[]): Promise<Attachment[]> {
  const files: Attachment[] = []
  for (const messageId of await tx.attachments.messagesWithFiles(messageIds)) {
    files.push(...(await tx.attachments.ofMessage(messageId)))
    await tx.attachments.forgetMessage(messageId, tx.organization.now)
  }
  return files
}

async function readable(tx: Tx, pathIds: readonly string[], author: Actor): Promise<Attachment[]> {
  if (pathIds.length === 0) return []
  const attachments: Attachment[] = []
  for (const one of await tx.attachments.byPathIds(pathIds)) {
    if (await mayReadAttachment(tx, author, one)) attachments.push(one)
  }
  return attachments
}

/** Files whose messages are read by one statement. */
const FILES_AT_ONCE = 20
/** Maximum bytes of the events about the files of one change (DIFF-FILE-EVENTS). */
const MAX_EVENTS_BYTES = 128 * 1024

/** Tells the owners, each file once, which messages refer to these files now. */
export async function announceFiles(tx: Tx, attachments: readonly Attachment[]): Promise<void> {
  if (attachments.length === 0) return
  const spaceUsed = await tx.attachments.spaceUsed()
  const files = new Map(attachments.map((one) => [one.id, one]))
  let bytes = 0
  for (const some of chunksOf([...files.values()], FILES_AT_ONCE)) {
    const messageIds = await tx.attachments.messageIds(some.map(({ id }) => id))
    for (const one of some) {
      const attachment = toWireAttachment(one, messageIds.get(one.id) ?? [])
      bytes += Buffer.byteLength(JSON.stringify(attachment))
      if (bytes > MAX_EVENTS_BYTES) return
      announceToSelf(tx, one.ownerId, { type: 'attachment', op: 'update', attachment, upload_space_used: spaceUsed })
    }
  }
}

function marksOf(attachments: readonly Attachment[]): AttachmentMarks {
  return { hasAttachment: attachments.length > 0, hasImage: attachments.some((one) => isImage(one.contentType)) }
}
