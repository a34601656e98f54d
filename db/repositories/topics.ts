import type { ChannelId, MessageId, TopicId } from '../../domain/ids.ts'
import { topicKey } from '../../domain/text-keys.ts'
import { placeholders } from '../dialect.ts'
import type { Session } from '../session.ts'

export class TopicReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  /** All spellings of a topic in a channel; empty when nobody ever used it there. */
  async spellings(channelId: ChannelId, name: string): Promise<TopicId[]> {
    const rows = await this.session.all<{ id: TopicId }>(
      'select id from topic where channel_id = ? and topic_key = ?',
      [channelId, topicKey(name)],
    )
    return rows.map((row) => row.id)
  }

  /** Who has sent to the topic, however spelt, at most `limit` of them. */
  async participants(topicIds: readonly TopicId[], limit: number): Promise<number[]> {
    if (topicIds.length === 0) return []
    const rows = await this.session.all<{ sender_id: number }>(
      `select distinct sender_id from message where topic_id in ${placeholders(topicIds.length)} limit ?`,
      [...topicIds, limit],
    )
    return rows.map((row) => row.sender_id)
  }
}

export class TopicWriter extends TopicReader {
  /** The topic with exactly this spelling, made when it is new, with `messageId` as its newest message. */
  async touch(channelId: ChannelId, name: string, messageId: MessageId): Promise<TopicId> {
    const key = topicKey(name)
    const known = await this.session.get<{ id: TopicId }>(
      'select id from topic where channel_id = ? and topic_key = ? and name = ?',
      [channelId, key, name],
    )
    if (known) {
      await this.session.run('update topic set max_message_id = ? where id = ?', [messageId, known.id])
      return known.id
    }
    const { insertId } = await this.session.run(
      'insert into topic (channel_id, name, topic_key, max_message_id) values (?, ?, ?, ?)',
      [channelId, name, key, messageId],
    )
    return insertId as TopicId
  }
}
