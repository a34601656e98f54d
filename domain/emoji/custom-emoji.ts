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

const PICTURES = '/user_avatars/emoji/images'

export function toWireCustomEmoji({ id, name, fileName, authorId, isDeactivated, isAnimated }: CustomEmoji) {
  return {
    id: String(id),
    name,
    source_url: `${PICTURES}/${fileName}`,
    still_url: isAnimated ? `${PICTURES}/still/${fileName.replace(/\.[^.]*$/, '')}.png` : null,
    deactivated: isDeactivated,
    author_id: authorId,
  }
}

export type WireCustomEmoji = ReturnType<typeof toWireCustomEmoji>

/** By id, as GET /realm/emoji and POST /register have them. */
export function wireCustomEmojis(emojis: readonly CustomEmoji[]): Record<string, WireCustomEmoji> {
  return Object.fromEntries(emojis.map((emoji) => [emoji.id, toWireCustomEmoji(emoji)]))
}
