import type { MessageId, UserId } from '../ids.ts'

/** An uploaded file. */
export interface Attachment {
  readonly id: number
  /** `{organization}/{key}/{name}`; the file is served below /user_uploads/ (ATTACH-3). */
  readonly pathId: string
  /** The owner's name for the file (domain/attachments/file-names.ts). */
  readonly fileName: string
  /** Type detected from the content. */
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly ownerId: UserId
  /** UNIX seconds. */
  readonly createdAt: number
}

/** Limits of uploads. */
export interface UploadLimits {
  /** Maximum MiB of one file; 0 allows no uploads. */
  readonly maxFileMib: number
  /** Maximum MiB of all files together; null for no limit. */
  readonly quotaMib: number | null
}

export const MIB = 1024 * 1024
/** Only the newest messages that refer to a file are listed, because a logo may be in every message of a bot. */
export const MAX_LISTED_MESSAGES = 1000

/** The Attachment object of the API (ATTACH-1 to ATTACH-7). @param messageIds ascending */
export function toWireAttachment(attachment: Attachment, messageIds: readonly MessageId[]) {
  return {
    id: attachment.id,
    name: attachment.fileName,
    path_id: attachment.pathId,
    size: attachment.size,
    create_time: attachment.createdAt,
    message_ids: [...messageIds] as number[],
  }
}

export function attachmentUrl(pathId: string): string {
  return `/user_uploads/${pathId}`
}

/** Returns the key under which the store has the file: the part of its address that cannot be guessed. */
export function storageKeyOf(pathId: string): string {
  return pathId.split('/')[1] ?? ''
}

/**
 * Types that browsers show in place, because they run nothing in them. All other types are offered for saving, above
 * all SVG, HTML and PDF, which can contain programs.
 */
const SHOWN_IN_PLACE: readonly string[] = [
  ...['image/apng', 'image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
  ...['audio/aac', 'audio/flac', 'audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/x-flac', 'audio/x-m4a'],
  ...['video/mp4', 'video/quicktime', 'video/webm'],
]

export function isShownInPlace(contentType: string): boolean {
  return SHOWN_IN_PLACE.includes(contentType)
}

export function isImage(contentType: string): boolean {
  return contentType.startsWith('image/')
}
