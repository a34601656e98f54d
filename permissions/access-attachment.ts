import type { Readers } from '../db/repositories.ts'
import type { Attachment } from '../domain/attachments/attachment.ts'
import { BadRequestError, UnknownFileError } from '../domain/errors.ts'
import { visibleMessages } from './access-message.ts'
import type { Actor } from './actor.ts'

/**
 * Number of messages checked together, and in all. The total is limited so that the senders of messages cannot make a
 * request more expensive.
 */
const PAGE = 100
const MAX_LOOKED_AT = 5000

/**
 * Whether `actor` may read the file: the owner may, and every reader of a message that refers to it. Checks the newest
 * messages first, because people read these. If there are very many messages, checks only the newest.
 */
export async function mayReadAttachment(read: Readers, actor: Actor, attachment: Attachment): Promise<boolean> {
  if (attachment.ownerId === actor.id) return true
  for (let before = Number.MAX_SAFE_INTEGER, left = MAX_LOOKED_AT; left > 0; left -= PAGE) {
    const ids = await read.attachments.messagesBefore(attachment.id, before, PAGE)
    if ((await visibleMessages(read, actor, ids)).length > 0) return true
    const oldest = ids.at(-1)
    if (oldest === undefined || ids.length < PAGE) return false
    before = oldest
  }
  return false
}

/** @throws {UnknownFileError} if it does not exist, or the actor may not see it */
export async function accessAttachment(read: Readers, actor: Actor, pathId: string): Promise<Attachment> {
  const attachment = await read.attachments.byPathId(pathId)
  if (!attachment || !(await mayReadAttachment(read, actor, attachment))) throw new UnknownFileError()
  return attachment
}

/** @throws {BadRequestError} if it does not exist, or is not the actor's own */
export async function accessOwnAttachment(read: Readers, actor: Actor, id: number): Promise<Attachment> {
  const attachment = Number.isSafeInteger(id) ? await read.attachments.byId(id) : undefined
  if (!attachment || attachment.ownerId !== actor.id) throw new BadRequestError('Invalid attachment')
  return attachment
}
