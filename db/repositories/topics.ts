import type { ChannelId, MessageId, TopicId } from '../../domain/ids.ts'
import { topicKey } from '../../domain/text-keys.ts'
import type { Session } from '../session.ts'

/** Messages of a topic in which participants are looked for. */
const NEWEST = 5000
/** SQLite joins at most 500 selects with `union all`. */
const MAX_SPELLINGS = 100

export class TopicReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  /**
   * Who has sent to the topic, however spelt, at most `limit` of them. Only its newest 5,000 messages are looked at,
   * and only the 100 spellings used last: sending waits for this, however long the topic has become.
   */
  async participants(channelId: ChannelId, name: string, limit: number): Promise<number[]> {
    const spellings = await this.session.all<{ id: TopicId }>(
      'select id from topic where channel_id = ? and topic_key = ? order by max_message_id desc limit ?',
      [channelId, topicKey(name), MAX_SPELLINGS],
    )
    if (spellings.length === 0) return []
    // The newest of each spelling first: that takes no more of the index than it needs. All of them together would be sorted.
    const newest =
      'select * from (select id, sender_id from message where topic_id = ? order by id desc limit ?) as one'
    const rows = await this.session.all<{ sender_id: number }>(
      `select distinct sender_id from (${spellings.map(() => newest).join(' union all ')}
        order by id desc limit ?) as together limit ?`,
      [...spellings.flatMap(({ id }) => [id, NEWEST]), NEWEST, limit],
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
