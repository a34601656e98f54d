import { emojiNames } from '../../domain/emoji/unicode.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/**
 * GET /static/emoji-data.json: names of Unicode emoji, for clients without a table of their own. A file, so that it is
 * cached.
 */
export const getEmojiData: Handler<'get-emoji-data'> = async () =>
  new RawAnswer('application/json', Buffer.from(JSON.stringify({ code_to_names: emojiNames })))
