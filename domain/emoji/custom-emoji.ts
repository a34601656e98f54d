import { BadRequestError } from '../errors.ts'
import type { UserId } from '../ids.ts'

/** An emoji that the organization added. Deactivated ones stay, because old messages contain them. */
export interface CustomEmoji {
  readonly id: number
  readonly name: string
  readonly fileName: string
  readonly authorId: UserId | null
  readonly isDeactivated: boolean
  readonly isAnimated: boolean
}

/** Size of emoji pictures in pixels. */
export const EMOJI_SIZE = 64

const PICTURES = '/user_avatars/emoji/images'
/** Names that messages and reactions can use: `:name:`. */
const NAME = /^[a-z0-9_-]{0,99}[a-z0-9]$/

/** Returns the name in stored form. @throws BadRequestError if it is invalid */
export function checkCustomEmojiName(typed: string): string {
  const name = typed.trim().replaceAll(' ', '_')
  if (name === '') throw new BadRequestError('Emoji name is missing')
  if (NAME.test(name)) return name
  throw new BadRequestError(
    'The name of an emoji has at most 100 characters: lowercase English letters, digits, spaces, dashes and underscores, and a letter or digit at the end',
  )
}

export function noSuchEmoji(name: string): string {
  return `Emoji '${name}' does not exist`
}

/** Path of the pictures of a file name. */
export function emojiPicturePath(fileName: string, isStill = false): string {
  return `emoji/${isStill ? 'still/' : ''}${fileName}`
}

/** File name of the still picture. */
export function stillFileName(fileName: string): string {
  return `${fileName.replace(/\.[^.]*$/, '')}.png`
}

export function toWireCustomEmoji({ id, name, fileName, authorId, isDeactivated, isAnimated }: CustomEmoji) {
  return {
    id: String(id),
    name,
    source_url: `${PICTURES}/${fileName}`,
    still_url: isAnimated ? `${PICTURES}/still/${stillFileName(fileName)}` : null,
    deactivated: isDeactivated,
    author_id: authorId,
  }
}

export type WireCustomEmoji = ReturnType<typeof toWireCustomEmoji>

/** By ID, as in GET /realm/emoji and POST /register. */
export function wireCustomEmojis(emojis: readonly CustomEmoji[]): Record<string, WireCustomEmoji> {
  return Object.fromEntries(emojis.map((emoji) => [emoji.id, toWireCustomEmoji(emoji)]))
}
