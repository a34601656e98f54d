import { appendReaction } from '../../actions/reactions.ts'
import { chooseEmoji } from '../../domain/emoji/choose-emoji.ts'
import { ReactionAlreadyExistsError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/{message_id}/reactions (REACT-1 to REACT-12). */
export const addReaction: Handler<'add-reaction'> = async ({ input, write }) => {
  const choice = { name: input.emoji_name, code: input.emoji_code, type: input.reaction_type }
  await write(async (tx, user) => {
    const viewed = await accessMessageToChange(tx, user, input.message_id as MessageId)
    const custom = await tx.customEmoji.candidates(choice.name, choice.code)
    const present = viewed.message.reactions.map((reaction) => reaction.emoji)
    const emoji = chooseEmoji(choice, custom, present)
    const isNew = await tx.reactions.insert(viewed.message.id, user.id, emoji)
    if (!isNew) throw new ReactionAlreadyExistsError()
    await appendReaction(tx, 'add', user, viewed, emoji)
  })
  return {}
}
