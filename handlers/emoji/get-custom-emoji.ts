import { wireCustomEmojis } from '../../domain/emoji/custom-emoji.ts'
import type { Handler } from '../handler.ts'

/** GET /realm/emoji. */
export const getCustomEmoji: Handler<'get-custom-emoji'> = async ({ db }) => ({
  emoji: wireCustomEmojis(await db.read.customEmoji.all()),
})
