import type { MessageId, UserId } from '../../domain/ids.ts'
import type { MessageRemoval } from '../../domain/messages/message-removal.ts'
import { Repository } from '../repository.ts'

interface Row {
  readonly id: number
  readonly user_id: UserId
  readonly through_message_id: MessageId
  readonly of_public_channels: number
  readonly of_private_channels: number
  readonly of_conversations: number
}

function fromRow(row: Row): MessageRemoval {
  return {
    id: row.id,
    userId: row.user_id,
    throughId: row.through_message_id,
    ofPublicChannels: row.of_public_channels === 1,
    ofPrivateChannels: row.of_private_channels === 1,
    ofConversations: row.of_conversations === 1,
  }
}

/** A message of the user, and its place. */
interface SentMessage {
  readonly id: MessageId
  /** Whether its channel is private; null in a conversation. */
  readonly isPrivate: boolean | null
}

/** Messages of deleted accounts that are still to be deleted. */
export class MessageRemovalReader extends Repository {
  /** Returns the removal that has waited longest; undefined if none is left. */
  async next(): Promise<MessageRemoval | undefined> {
    const row = await this.session.get<Row>('select * from message_removal order by id limit 1')
    return row && fromRow(row)
  }

  /** Returns unfinished removals, the one that has waited longest first. */
  async all(): Promise<MessageRemoval[]> {
    return (await this.session.all<Row>('select * from message_removal order by id')).map(fromRow)
  }

  /** Returns at most `limit` messages of the sender after `after`, by ascending ID. */
  async sent({ userId, throughId }: MessageRemoval, after: number, limit: number): Promise<SentMessage[]> {
    const rows = await this.session.all<{ id: MessageId; invite_only: number | null }>(
      `select m.id, c.invite_only from message m left join channel c on c.id = m.channel_id
        where m.sender_id = ? and m.id > ? and m.id <= ? order by m.id limit ?`,
      [userId, after, throughId, limit],
    )
    return rows.map((row) => ({ id: row.id, isPrivate: row.invite_only === null ? null : row.invite_only === 1 }))
  }
}

export class MessageRemovalWriter extends MessageRemovalReader {
  async insert(removal: Omit<MessageRemoval, 'id'>): Promise<void> {
    await this.session.knex('message_removal').insert({
      user_id: removal.userId,
      through_message_id: removal.throughId,
      of_public_channels: removal.ofPublicChannels,
      of_private_channels: removal.ofPrivateChannels,
      of_conversations: removal.ofConversations,
    })
  }

  async delete(id: number): Promise<void> {
    await this.session.run('delete from message_removal where id = ?', [id])
  }
}
