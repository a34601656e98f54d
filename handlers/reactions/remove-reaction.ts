import { appendReaction } from '../../actions/reactions.ts'
import type { Tx } from '../../db/repositories.ts'
import { checkReactionType, emojiNamed } from '../../domain/emoji/choose-emoji.ts'
import { type Emoji, isSameEmoji } from '../../domain/emoji/emoji.ts'
import { emojiNameOf } from '../../domain/emoji/unicode.ts'
import { BadRequestError, CodedError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Input } from '../../generated/operations.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import type { Handler } from '../handler.ts'

/**
 * DELETE /messages/{message_id}/reactions: removes the caller's own reaction, even if its emoji can no longer be used.
 */
export const removeReaction: Handler<'remove-reaction'> = async ({ input, write }) => {
  if (input.emoji_name === undefined && input.emoji_code === undefined) {
    throw new BadRequestError('At least one of these parameters is needed: emoji_name, emoji_code')
  }
  await write(async (tx, user) => {
    const viewed = await accessMessageToChange(tx, user, input.message_id as MessageId)
    const own = await tx.reactions.ofUser(viewed.message.id, user.id)
    const emoji = await meant(tx, input, own)
    await appendReaction(tx, 'remove', user, viewed, emoji)
    await tx.reactions.delete(viewed.message.id, user.id, emoji)
  })
  return {}
}

/**
 * Returns the emoji of the reaction that the caller means. If there is a code, it decides. A name means the reaction
 * stored under it, or else the emoji that has the name now.
 *
 * @throws {CodedError} if there is none; {BadRequestError} for an invalid emoji
 */
async function meant(tx: Tx, input: Input<'remove-reaction'>, own: readonly Emoji[]): Promise<Emoji> {
  const { emoji_name: name = '', emoji_code: code, reaction_type: word } = input
  const type = word === undefined ? undefined : checkReactionType(word)
  if (code !== undefined) {
    const wanted = { type: type ?? ('unicode_emoji' as const), code }
    const found = own.find((emoji) => isSameEmoji(emoji, wanted))
    if (found) return found
    if (wanted.type === 'unicode_emoji' && emojiNameOf(code) === undefined) {
      throw new BadRequestError('Invalid emoji code.')
    }
    throw new CodedError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
  }
  const isWanted = (emoji: Emoji): boolean => type === undefined || emoji.type === type
  const stored = own.find((emoji) => emoji.name === name && isWanted(emoji))
  if (stored) return stored
  const named = emojiNamed(name, await tx.customEmoji.candidates(name, undefined))
  const found = own.find((emoji) => isSameEmoji(emoji, named) && isWanted(emoji))
  if (!found) throw new CodedError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
  return found
}
