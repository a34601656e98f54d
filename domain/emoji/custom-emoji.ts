import { BadRequestError } from '../errors.ts'
import type { UserId } from '../ids.ts'

/** An emoji that the organization added. Deactivated ones stay, because old messages have them. */
export interface CustomEmoji {
  readonly id: number
  readonly name: string
  readonly fileName: string
  readonly authorId: UserId | null
  readonly isDeactivated: boolean
  readonly isAnimated: boolean
}

/** Of the pictures of emoji, in pixels. */
export const EMOJI_SIZE = 64

const PICTURES = '/user_avatars/emoji/images'
/** What messages and reactions can name: `:name:`. */
const NAME = /^[a-z0-9_-]{0,99}[a-z0-9]$/

/** The name that is meant by one that was typed. @throws BadRequestError for what cannot be one */
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

/** Where the pictures of a file name are kept. */
export function emojiPicturePath(fileName: string, isStill = false): string {
  return `emoji/${isStill ? 'still/' : ''}${fileName}`
}

/** File name of the picture that does not move. */
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

/** By id, as GET /realm/emoji and POST /register have them. */
export function wireCustomEmojis(emojis: readonly CustomEmoji[]): Record<string, WireCustomEmoji> {
  return Object.fromEntries(emojis.map((emoji) => [emoji.id, toWireCustomEmoji(emoji)]))
}
