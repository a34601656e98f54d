import { deactivateCustomEmoji as deactivate } from '../../actions/custom-emoji.ts'
import type { Handler } from '../handler.ts'

/** DELETE /realm/emoji/{emoji_name}. */
export const deactivateCustomEmoji: Handler<'deactivate-custom-emoji'> = async ({ input, write }) => {
  await write((tx, actor) => deactivate(tx, actor, input.emoji_name))
  return {}
}
