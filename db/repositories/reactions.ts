import type { Emoji } from '../../domain/emoji/emoji.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import type { Reaction } from '../../domain/messages/message.ts'
import type { ReactionType } from '../../domain/wire-values.ts'
import { isUniqueViolation } from '../dialect.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface ReactionRow {
  readonly message_id: MessageId
  readonly user_id: UserId
  readonly reaction_type: string
  readonly emoji_code: string
  readonly emoji_name: string
}

/** Reactions to messages. */
export class ReactionReader extends Repository {
  /** Returns reactions to all `messageIds`, oldest first; a message without any has no key. One query for each PAGE. */
  async ofMessages(messageIds: readonly MessageId[]): Promise<Map<MessageId, Reaction[]>> {
    const rows = await rowsFor<ReactionRow>(
      this.session,
      messageIds,
      (list) => `select message_id, user_id, reaction_type, emoji_code, emoji_name from reaction
        where message_id in ${list} order by id`,
    )
    const found = new Map<MessageId, Reaction[]>()
    for (const row of rows) {
      const reaction: Reaction = {
        userId: row.user_id,
        emoji: { type: row.reaction_type as ReactionType, code: row.emoji_code, name: row.emoji_name },
      }
      const ofMessage = found.get(row.message_id)
      if (ofMessage) ofMessage.push(reaction)
      else found.set(row.message_id, [reaction])
    }
    return found
  }

  /** Returns the different emoji of a message, oldest first, and the number of its reactions. */
  async emojiOf(messageId: MessageId): Promise<{ readonly emojis: Emoji[]; readonly count: number }> {
    const rows = await this.session.all<Emoji & { readonly count: number }>(
      `select reaction_type as type, emoji_code as code, emoji_name as name, count(*) as count from reaction
       where message_id = ? group by reaction_type, emoji_code, emoji_name order by min(id)`,
      [messageId],
    )
    return {
      emojis: rows.map(({ type, code, name }) => ({ type, code, name })),
      count: rows.reduce((sum, row) => sum + row.count, 0),
    }
  }

  /** Returns the emoji with which a user has reacted, oldest first. */
  async ofUser(messageId: MessageId, userId: UserId): Promise<Emoji[]> {
    return this.session.all<Emoji>(
      `select reaction_type as type, emoji_code as code, emoji_name as name from reaction
       where message_id = ? and user_id = ? order by id`,
      [messageId, userId],
    )
  }
}

export class ReactionWriter extends ReactionReader {
  /** Returns false if the user has reacted with this emoji already. */
  async insert(messageId: MessageId, userId: UserId, { type, code, name }: Emoji): Promise<boolean> {
    try {
      await this.session.run(
        'insert into reaction (message_id, user_id, reaction_type, emoji_code, emoji_name) values (?, ?, ?, ?, ?)',
        [messageId, userId, type, code, name],
      )
      return true
    } catch (err) {
      if (isUniqueViolation(err)) return false
      throw err
    }
  }

  async delete(messageId: MessageId, userId: UserId, { type, code }: Pick<Emoji, 'type' | 'code'>): Promise<void> {
    await this.session.run(
      'delete from reaction where message_id = ? and user_id = ? and reaction_type = ? and emoji_code = ?',
      [messageId, userId, type, code],
    )
  }
}
