import type { UserId } from '../ids.ts'
import { MIB } from './attachment.ts'

/** An uploaded file that is an image. */
export interface UploadedImage {
  readonly attachmentId: number
  readonly ownerId: UserId
  readonly pathId: string
  readonly contentType: string
  /** Pixels, upright; undefined if not measured yet. */
  readonly size: { readonly width: number; readonly height: number } | undefined
  readonly isAnimated: boolean
  /** State of its thumbnails: they still have to be made, exist, or cannot be made. */
  readonly state: 'waiting' | 'made' | 'broken'
  /** Whether earlier messages show the result. */
  readonly isTold: boolean
  /** Number of attempts. */
  readonly attempts: number
}

export interface Thumbnail {
  /** Name of one of THUMBNAIL_FORMATS. */
  readonly format: string
  readonly bytes: Uint8Array
}

const STILL = { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false } as const
const ANIMATED = { ...STILL, name: '840x560-anim.webp', animated: true } as const

/** Formats of thumbnails: the field server_thumbnail_formats. Only animated images have the animated one. */
export const THUMBNAIL_FORMATS = [STILL, ANIMATED] as const

/** The format that messages show. */
export const SHOWN_FORMAT = STILL.name

/** Maximum size of a file that gets thumbnails, because it is read into memory as a whole. */
export const MAX_IMAGE_BYTES = 50 * MIB
/** Types of files that get thumbnails. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp']

export function mayHaveThumbnails({ contentType, size }: { contentType: string; size: number }): boolean {
  return IMAGE_TYPES.includes(contentType) && size <= MAX_IMAGE_BYTES
}

export function thumbnailUrl(pathId: string, format: string): string {
  return `/user_uploads/thumbnail/${pathId}/${format}`
}
