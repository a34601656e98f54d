import type { MessageToChange } from '../db/repositories/viewed-messages.ts'
import type { Tx } from '../db/repositories.ts'
import { type Emoji, toWireEmoji } from '../domain/emoji/emoji.ts'
import { apiEmail } from '../domain/users/user.ts'
import type { Actor } from '../permissions/actor.ts'
import { messageAudience } from './messages/message-audience.ts'
import { guestsNotSeeing } from './users/user-visibility.ts'

/**
 * Announces a reaction to everybody who can see the message, including those who reacted to it; call it while the
 * reaction is in its table.
 */
export async function appendReaction(
  tx: Tx,
  op: 'add' | 'remove',
  actor: Actor,
  viewed: MessageToChange,
  emoji: Emoji,
): Promise<void> {
  const unseenBy = await guestsNotSeeing(tx, actor)
  tx.events.append(
    {
      type: 'reaction',
      op,
      message_id: viewed.message.id,
      // The log uses the contract's names; each queue translates them to the server's settings.
      ...toWireEmoji(emoji, 'contract'),
      user_id: actor.id,
      user: { user_id: actor.id, email: apiEmail(actor), full_name: actor.fullName },
      ...(unseenBy.length > 0 && { unseenBy }),
    },
    await messageAudience(tx, viewed),
  )
}
