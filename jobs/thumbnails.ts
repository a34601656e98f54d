import type { Logger } from 'pino'
import { replacePlaceholders } from '../actions/messages/replace-placeholders.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import { storageKeyOf } from '../domain/attachments/attachment.ts'
import { BadImageError, UnreadImageError } from '../domain/attachments/bad-image.ts'
import { THUMBNAIL_FORMATS, type UploadedImage } from '../domain/attachments/thumbnails.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import type { ImageVariant } from '../uploads/image.ts'
import type { Images } from '../uploads/images.ts'
import type { UploadStore } from '../uploads/store.ts'
import type { Turn } from './lease.ts'
import type { Job } from './runner.ts'

interface ThumbnailServices {
  readonly db: ReadOnlyDatabase
  readonly images: Images
  readonly store: UploadStore
  readonly log: Logger
}

/** An image may crash the process that reads it, or the whole server, each time. */
const MAX_ATTEMPTS = 3
/** Maximum size of a thumbnail with all frames. Larger ones show only the first frame. */
const MAX_ANIMATED_BYTES = 4 * 1024 * 1024

/**
 * Makes thumbnails of uploaded images, one account after the other, the newest image first; then adds them to earlier
 * messages. If the process is killed in between, the next turn finds the remaining work.
 */
export function makeThumbnails(services: ThumbnailServices): Job {
  const { db } = services
  return {
    name: 'make-thumbnails',
    everyMs: 60_000,
    isDueAtStart: true,
    wakesUp: {
      next: async () => ((await db.read.images.nextUnfinished(0)) ? db.read.organization.now : undefined),
      after: 'attachment',
    },
    async run(turn) {
      for (let owner = 0; !turn.signal.aborted; ) {
        const image = (await db.read.images.nextUnfinished(owner)) ?? (await db.read.images.nextUnfinished(0))
        if (!image) return
        owner = image.ownerId
        if (image.state === 'waiting' && !(await make(services, turn, image))) return
        await tell(turn, image.attachmentId)
      }
    },
  }
}

/** @returns false if others must go first */
async function make({ images, store, log }: ThumbnailServices, turn: Turn, image: UploadedImage): Promise<boolean> {
  const { attachmentId, ownerId, attempts } = image
  const setBroken = () => turn.transaction((tx) => tx.images.setBroken(attachmentId))
  const isThere = await turn.transaction((tx) => tx.images.countAttempt(attachmentId))
  if (!isThere) return true
  const path = await store.pathOf(storageKeyOf(image.pathId))
  if (path === undefined || attempts >= MAX_ATTEMPTS) {
    log.warn({ attachmentId, attempts }, 'no thumbnails: the image has no bytes, or was tried too often')
    await setBroken()
    return true
  }
  const of = { ownerId, path }
  try {
    const shown = await scale(images, of, false)
    const moving = shown.isAnimated ? await animated(images, of) : undefined
    const [still, animation] = THUMBNAIL_FORMATS
    const thumbnails = [
      { format: still.name, bytes: shown.bytes },
      ...(moving ? [{ format: animation.name, bytes: moving }] : []),
    ]
    // Clients show the animated thumbnail of an image that is marked as animated.
    const made = { size: shown.size, isAnimated: moving !== undefined, thumbnails }
    await turn.transaction((tx) => tx.images.setMade(attachmentId, made))
  } catch (err) {
    if (err instanceof RateLimitHitError) {
      await turn.transaction((tx) => tx.images.uncountAttempt(attachmentId))
      return false
    }
    if (err instanceof UnreadImageError) return false
    if (!(err instanceof BadImageError)) throw err
    await setBroken()
  }
  return true
}

interface Source {
  readonly ownerId: number
  readonly path: string
}

async function scale(images: Images, { ownerId, path }: Source, isMoving: boolean) {
  const [{ max_width: width, max_height: height }] = THUMBNAIL_FORMATS
  const format = isMoving ? 'moving-webp' : 'webp'
  const variant: ImageVariant = { width, height, fit: 'inside', format }
  const { isAnimated, variants, ...size } = await images.of(ownerId).scaleFile(path, [variant])
  const [bytes = new Uint8Array()] = variants
  return { isAnimated, size: { width: size.width, height: size.height }, bytes }
}

/** Returns undefined if it has too many bytes, or more frames than can be read. */
async function animated(images: Images, of: Source): Promise<Uint8Array | undefined> {
  try {
    const { bytes } = await scale(images, of, true)
    return bytes.length <= MAX_ANIMATED_BYTES ? bytes : undefined
  } catch (err) {
    if (err instanceof BadImageError) return undefined
    throw err
  }
}

/** Uses one transaction for each message, which sees the current state of the image. */
async function tell(turn: Turn, attachmentId: number): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    if (turn.signal.aborted) return
    const from: number = after
    after = await turn.transaction(async (tx) => {
      const image = await tx.images.of(attachmentId)
      const done = image && (await replacePlaceholders(tx, image, from))
      if (done === undefined) await tx.images.setTold(attachmentId)
      return done
    })
  }
}
