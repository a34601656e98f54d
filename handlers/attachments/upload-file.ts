import { announceToSelf } from '../../actions/announce-to-self.ts'
import { accountsOfPerson } from '../../actions/users/accounts-of-person.ts'
import type { Tx } from '../../db/repositories.ts'
import { attachmentUrl, MIB, toWireAttachment } from '../../domain/attachments/attachment.ts'
import { BadImageError, UnreadImageError } from '../../domain/attachments/bad-image.ts'
import { displayFileName, pathFileName } from '../../domain/attachments/file-names.ts'
import { mayHaveThumbnails, type UploadedImage } from '../../domain/attachments/thumbnails.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { ApiError, CodedError, FileTooLargeError, RateLimitHitError } from '../../domain/errors.ts'
import { isWithinShare } from '../../domain/share.ts'
import { hasRole } from '../../domain/users/roles.ts'
import { personOf } from '../../domain/users/user.ts'
import type { Actor } from '../../permissions/actor.ts'
import { contentTypeOf } from '../../uploads/content-type.ts'
import type { AccountImages } from '../../uploads/images.ts'
import type { Handler } from '../handler.ts'

type MeasuredImage = Pick<UploadedImage, 'size' | 'isAnimated'>

/** POST /user_uploads. The file is in place before the transaction that refers to it. */
export const uploadFile: Handler<'upload-file'> = async (services) => {
  const { db, write, clock, uploads, images, receiveFile } = services
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
    const image = mayHaveThumbnails(attachment) ? await imageAt(images, file.path) : undefined
    await file.keep(() =>
      write(async (tx, actor) => {
        const inserted = await tx.attachments.insert({ ...attachment, ownerId: actor.id }, quotaBytes)
        if (!inserted || !(await leavesRoom(tx, actor, quotaBytes))) {
          throw new CodedError('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.")
        }
        if (image) await tx.images.insert({ attachmentId: inserted.id, ownerId: personOf(actor), ...image })
        announceToSelf(tx, actor.id, {
          type: 'attachment',
          op: 'add',
          attachment: toWireAttachment(inserted, []),
          upload_space_used: await tx.attachments.spaceUsed(),
        })
      }),
    )
  } catch (err) {
    // After any other error the row may exist all the same; the collection of orphans checks that.
    if (err instanceof ApiError) await file.discard()
    throw err
  }
  const url = attachmentUrl(attachment.pathId)
  return { url, uri: url, filename: fileName }
}

/** Whether the files of the account leave room for those of others. Administrators may use all of the quota. */
async function leavesRoom(tx: Tx, actor: Actor, quotaBytes: number | null): Promise<boolean> {
  if (quotaBytes === null || hasRole(actor.role, 'administrator')) return true
  const held = await tx.attachments.bytesOf(await accountsOfPerson(tx, actor))
  return isWithinShare(held, quotaBytes - (await tx.attachments.spaceUsed()))
}

/** Returns undefined if the file claims to be an image but cannot be read as one: it is then an ordinary file. */
async function imageAt(images: AccountImages, path: string): Promise<MeasuredImage | undefined> {
  try {
    const { width, height, isAnimated } = await images.scaleFile(path, [])
    return { size: { width, height }, isAnimated }
  } catch (err) {
    // Too many images wait, the owner has no time left, or the process that reads images was killed. The image is
    // measured when its thumbnails are made.
    if (err instanceof RateLimitHitError || err instanceof UnreadImageError)
      return { size: undefined, isAnimated: false }
    if (err instanceof BadImageError) return undefined
    throw err
  }
}
