import type { Thumbnail, UploadedImage } from '../../domain/attachments/thumbnails.ts'
import type { UserId } from '../../domain/ids.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface ImageRow {
  readonly attachment_id: number
  readonly owner_id: number
  readonly path_id: string
  readonly content_type: string
  readonly width: number | null
  readonly height: number | null
  readonly is_animated: number
  readonly is_made: number
  readonly is_broken: number
  readonly is_told: number
  readonly attempts: number
}

const IMAGES = `select i.attachment_id, i.owner_id, a.path_id, a.content_type, i.width, i.height, i.is_animated, i.is_made,
  i.is_broken, i.is_told, i.attempts from image i join attachment a on a.id = i.attachment_id`

function fromRow(row: ImageRow): UploadedImage {
  return {
    attachmentId: row.attachment_id,
    ownerId: row.owner_id as UserId,
    pathId: row.path_id,
    contentType: row.content_type,
    size: row.width === null || row.height === null ? undefined : { width: row.width, height: row.height },
    isAnimated: row.is_animated === 1,
    state: row.is_broken === 1 ? 'broken' : row.is_made === 1 ? 'made' : 'waiting',
    isTold: row.is_told === 1,
    attempts: row.attempts,
  }
}

/** Uploaded images, and their thumbnails. */
export class ImageReader extends Repository {
  /** Returns undefined if the file is not an image. */
  async of(attachmentId: number): Promise<UploadedImage | undefined> {
    const row = await this.session.get<ImageRow>(`${IMAGES} where i.attachment_id = ?`, [attachmentId])
    return row && fromRow(row)
  }

  /** Returns the images among the files at `pathIds`, unordered. */
  async byPathIds(pathIds: readonly string[]): Promise<UploadedImage[]> {
    const sql = (list: string) => `${IMAGES} where a.path_id in ${list}`
    return (await rowsFor<ImageRow>(this.session, pathIds, sql, { exactly: 'path_id' })).map(fromRow)
  }

  /** Returns the newest image with work left to do of the next account after `owner`. */
  async nextUnfinished(owner: number): Promise<UploadedImage | undefined> {
    const next = await this.session.get<{ owner_id: number }>(
      'select owner_id from image where is_told = 0 and owner_id > ? order by owner_id limit 1',
      [owner],
    )
    if (!next) return undefined
    const row = await this.session.get<ImageRow>(
      `${IMAGES} where i.is_told = 0 and i.owner_id = ? order by i.attachment_id desc limit 1`,
      [next.owner_id],
    )
    return row && fromRow(row)
  }

  /** Returns undefined if there is none in this format. */
  async thumbnail(attachmentId: number, format: string): Promise<Uint8Array | undefined> {
    const sql = (list: string) => `select format, bytes from thumbnail where attachment_id = ? and format in ${list}`
    const [row] = await rowsFor<Thumbnail>(this.session, [format], sql, { before: [attachmentId], exactly: 'format' })
    return row?.bytes
  }
}

/** The results of making the thumbnails. */
type Made = Required<Pick<UploadedImage, 'size' | 'isAnimated'>> & { readonly thumbnails: readonly Thumbnail[] }

export class ImageWriter extends ImageReader {
  /** Inserts an image without thumbnails, which the job makes later. */
  async insert(image: Pick<UploadedImage, 'attachmentId' | 'ownerId' | 'size' | 'isAnimated'>): Promise<void> {
    await this.session.run(
      'insert into image (attachment_id, owner_id, width, height, is_animated) values (?, ?, ?, ?, ?)',
      [
        image.attachmentId,
        image.ownerId,
        image.size?.width ?? null,
        image.size?.height ?? null,
        image.isAnimated ? 1 : 0,
      ],
    )
  }

  /** Returns false if the image was deleted. */
  async countAttempt(attachmentId: number): Promise<boolean> {
    const { changes } = await this.session.run('update image set attempts = attempts + 1 where attachment_id = ?', [
      attachmentId,
    ])
    return changes > 0
  }

  /** Call it after an attempt that failed, but not because of the image. */
  async uncountAttempt(attachmentId: number): Promise<void> {
    await this.session.run('update image set attempts = attempts - 1 where attachment_id = ? and attempts > 0', [
      attachmentId,
    ])
  }

  /** Does nothing if the image was deleted. */
  async setMade(attachmentId: number, { size, isAnimated, thumbnails }: Made): Promise<void> {
    const { changes } = await this.session.run(
      'update image set is_made = 1, width = ?, height = ?, is_animated = ? where attachment_id = ?',
      [size?.width ?? null, size?.height ?? null, isAnimated ? 1 : 0, attachmentId],
    )
    if (changes === 0) return
    for (const { format, bytes } of thumbnails) {
      // A Buffer, because one of the drivers accepts no other array.
      await this.session.run('insert into thumbnail (attachment_id, format, bytes) values (?, ?, ?)', [
        attachmentId,
        format,
        Buffer.from(bytes),
      ])
    }
  }

  async setBroken(attachmentId: number): Promise<void> {
    await this.session.run('update image set is_broken = 1 where attachment_id = ?', [attachmentId])
  }

  /** Marks it as finished. */
  async setTold(attachmentId: number): Promise<void> {
    await this.session.run('update image set is_told = 1 where attachment_id = ?', [attachmentId])
  }
}
