import { changeVisibilityByTakingPart } from '../../actions/messages/automatic-visibility.ts'
import { appendReaction } from '../../actions/reactions.ts'
import { chooseEmoji } from '../../domain/emoji/choose-emoji.ts'
import { BadRequestError, CodedError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import type { Handler } from '../handler.ts'

/** Of one message, because every reader of the message gets all of them. */
const MAX_REACTIONS = 10_000

/** POST /messages/{message_id}/reactions (REACT-1 to REACT-12). */
export const addReaction: Handler<'add-reaction'> = async ({ input, write }) => {
  const choice = { name: input.emoji_name, code: input.emoji_code, type: input.reaction_type }
  await write(async (tx, user) => {
    const viewed = await accessMessageToChange(tx, user, input.message_id as MessageId)
    const custom = await tx.customEmoji.candidates(choice.name, choice.code)
    const present = await tx.reactions.emojiOf(viewed.message.id)
    const emoji = chooseEmoji(choice, custom, present.emojis)
    const isNew = await tx.reactions.insert(viewed.message.id, user.id, emoji)
    if (!isNew) throw new CodedError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
    if (present.count >= MAX_REACTIONS) {
      throw new BadRequestError(`A message has at most ${MAX_REACTIONS} reactions.`)
    }
    await changeVisibilityByTakingPart(tx, user, viewed)
    await appendReaction(tx, 'add', user, viewed, emoji)
  })
  return {}
}
