import { chunksOf } from '../../domain/chunks.ts'
import type { ChannelId, MessageId, TopicId, UserId } from '../../domain/ids.ts'
import { topicKey } from '../../domain/text/text-keys.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { inPages } from '../pieces.ts'
import { receivedInChannel } from '../read-state/received.ts'
import { Repository } from '../repository.ts'

/** Number of messages of a topic in which participants are searched. */
const NEWEST = 5000
/** SQLite joins at most 500 selects with `union all`. */
const MAX_SPELLINGS = 100
/** Number of topics whose newest messages one statement looks up. */
const TOPICS_A_STATEMENT = 200
/**
 * The condition that the user received the message. Its first part ends a backward search, because nothing was received
 * before the user's first subscription.
 */
const RECEIVED = `and m.id > (select min(f.after_message_id) from subscription_span f where f.user_id = ?)
  and ${receivedInChannel('?')}`

/** A topic whose newest message is requested. */
export interface TopicToRead {
  readonly channelId: ChannelId
  readonly topic: string
  /** Whether messages from before the reader's subscription are readable. */
  readonly sharesHistory: boolean
}

interface LatestRow {
  readonly channel_id: ChannelId
  readonly topic_key: string
  readonly id: MessageId | null
}

export interface TopicEntry {
  readonly name: string
  readonly maxMessageId: MessageId
}

/** The data of a message of a topic that a move needs. */
export interface TopicMessage {
  readonly id: MessageId
  readonly topicId: TopicId
  /** The channel it was sent to. */
  readonly originId: ChannelId
  readonly sentAt: number
  readonly mentionsChannel: boolean
  /** Size of its former versions. */
  readonly historyBytes: number
}

interface TopicMessageRow {
  readonly id: MessageId
  readonly topic_id: TopicId
  readonly origin_id: ChannelId
  readonly sent_at: number
  readonly mentions_channel: number
  readonly history_bytes: number | null
}

const TOPIC_MESSAGE = `m.id, m.topic_id, m.origin_channel_id as origin_id, m.sent_at, m.mentions_channel,
  octet_length(m.edit_history) as history_bytes`

function topicMessage(row: TopicMessageRow): TopicMessage {
  return {
    id: row.id,
    topicId: row.topic_id,
    originId: row.origin_id,
    sentAt: row.sent_at,
    mentionsChannel: row.mentions_channel === 1,
    historyBytes: row.history_bytes ?? 0,
  }
}

export class TopicReader extends Repository {
  /** Returns a message of a topic. @throws if it does not exist in a channel */
  async messageOf(id: MessageId): Promise<TopicMessage> {
    const row = await this.session.get<TopicMessageRow>(`select ${TOPIC_MESSAGE} from message m where m.id = ?`, [id])
    if (!row) throw new Error(`there is no message ${id}`)
    return topicMessage(row)
  }

  /**
   * Returns messages of the topic in all spellings with IDs from `least` on, ascending. In pages for each spelling,
   * until there are more than `most`.
   */
  async messages(
    channelId: ChannelId,
    name: string,
    { least, most }: { readonly least: number; readonly most: number },
    pauses: Pauses,
  ): Promise<TopicMessage[]> {
    const found: TopicMessage[] = []
    for (const { id } of await this.spellings(channelId, name)) {
      let count = found.length
      const page = async (after: number, limit: number): Promise<TopicMessageRow[]> => {
        if (count > most) return []
        const rows = await this.session.all<TopicMessageRow>(
          `select ${TOPIC_MESSAGE} from message m where m.topic_id = ? and m.id > ? order by m.id limit ?`,
          [id, Math.max(after, least - 1), limit],
        )
        count += rows.length
        return rows
      }
      for (const one of await inPages(page, (row) => row.id, topicMessage, pauses)) found.push(one)
    }
    return found.sort((a, b) => a.id - b.id)
  }

  /**
   * Returns the newest messages of the topic in all spellings with IDs up to `most`, descending, at most `limit`. Looks
   * only at the `limit` spellings used last, which contain all of them.
   */
  async newestMessages(
    channelId: ChannelId,
    name: string,
    { most, limit }: { readonly most: number; readonly limit: number },
  ): Promise<TopicMessage[]> {
    const spellings = await this.session.all<{ id: TopicId; newest: number | null }>(
      `select t.id, case when t.max_message_id <= ? then t.max_message_id
         else (select m.id from message m where m.topic_id = t.id and m.id <= ? order by m.id desc limit 1) end as newest
       from topic t where t.channel_id = ? and t.topic_key = ? order by newest desc limit ?`,
      [most, most, channelId, topicKey(name), limit],
    )
    let found: TopicMessageRow[] = []
    for (const { id, newest } of spellings) {
      // The other spellings have only older messages.
      if (newest === null || newest < (found[limit - 1]?.id ?? 0)) break
      const rows = await this.session.all<TopicMessageRow>(
        `select ${TOPIC_MESSAGE} from message m where m.topic_id = ? and m.id <= ? order by m.id desc limit ?`,
        [id, newest, limit],
      )
      found = [...found, ...rows].sort((a, b) => b.id - a.id).slice(0, limit)
    }
    return found.map(topicMessage)
  }

  /** Returns the rows of the topic, one for each spelling. */
  async spellings(channelId: ChannelId, name: string): Promise<{ readonly id: TopicId; readonly name: string }[]> {
    return this.session.all<{ id: TopicId; name: string }>(
      'select id, name from topic where channel_id = ? and topic_key = ?',
      [channelId, topicKey(name)],
    )
  }

  /** Whether the topic has any messages, in any spelling. */
  async exists(channelId: ChannelId, name: string): Promise<boolean> {
    const row = await this.session.get('select 1 from topic where channel_id = ? and topic_key = ? limit 1', [
      channelId,
      topicKey(name),
    ])
    return row !== undefined
  }

  /** Whether there are messages outside of the empty topic. */
  async hasNamed(channelId: ChannelId): Promise<boolean> {
    const row = await this.session.get(
      "select 1 from topic where channel_id = ? and topic_key <> '' and max_message_id > 0 limit 1",
      [channelId],
    )
    return row !== undefined
  }

  /** Returns all topics of a channel, the one with the newest message first. Reads topics, never messages. */
  async ofChannel(channelId: ChannelId): Promise<TopicEntry[]> {
    const rows = await this.session.all<TopicRow>(
      'select name, topic_key, max_message_id as max_id from topic where channel_id = ? and max_message_id > 0',
      [channelId],
    )
    return withoutOlderSpellings(rows)
  }

  /**
   * Same as above, for the messages that `userId` received, if the channel hides earlier history. One index look-up for
   * each topic; topics that ended before the user subscribed are skipped.
   */
  async received(channelId: ChannelId, userId: UserId): Promise<TopicEntry[]> {
    const rows = await this.session.all<TopicRow>(
      `select t.name, t.topic_key, (select m.id from message m where m.topic_id = t.id
          and ${receivedInChannel('?')}
          order by m.id desc limit 1) as max_id
       from topic t where t.channel_id = ? and t.max_message_id >
         (select coalesce(min(p.after_message_id), 0) from subscription_span p where p.user_id = ?)`,
      [userId, channelId, userId],
    )
    return withoutOlderSpellings(rows)
  }

  /** Whether the topic has messages under another spelling than `name`. */
  async hasOtherSpellings(channelId: ChannelId, name: string): Promise<boolean> {
    const row = await this.session.get(
      'select 1 from topic where channel_id = ? and topic_key = ? and name <> ? and max_message_id > 0 limit 1',
      [channelId, topicKey(name), name],
    )
    return row !== undefined
  }

  /**
   * Returns at most `limit` users who have sent to the topic, in any spelling. Looks only at its newest 5,000 messages
   * and the 100 spellings used last, because sending waits for this.
   */
  async participants(channelId: ChannelId, name: string, limit: number): Promise<number[]> {
    const spellings = await this.session.all<{ id: TopicId }>(
      'select id from topic where channel_id = ? and topic_key = ? order by max_message_id desc limit ?',
      [channelId, topicKey(name), MAX_SPELLINGS],
    )
    if (spellings.length === 0) return []
    // Reads the newest messages of each spelling first, which reads no more of the index than needed. A query for all
    // spellings together would have to sort them.
    const newest =
      'select * from (select id, sender_id from message where topic_id = ? order by id desc limit ?) as one'
    const rows = await this.session.all<{ sender_id: number }>(
      `select distinct sender_id from (${spellings.map(() => newest).join(' union all ')}
        order by id desc limit ?) as together limit ?`,
      [...spellings.flatMap(({ id }) => [id, NEWEST]), NEWEST, limit],
    )
    return rows.map((row) => row.sender_id)
  }

  /**
   * Returns the newest message of each topic that the user may read, in any spelling; topics without one are left out.
   * One query for each 200 topics with shared history, and one for each 200 of which only received messages count.
   */
  async latestMessages(userId: UserId, topics: readonly TopicToRead[]): Promise<ReadonlyMap<string, MessageId>> {
    const [shared, own] = [topics.filter((one) => one.sharesHistory), topics.filter((one) => !one.sharesHistory)]
    const rows = [...(await this.#latest(shared, '', [])), ...(await this.#latest(own, RECEIVED, [userId, userId]))]
    const latest = new Map<string, MessageId>()
    for (const { channel_id, topic_key, id } of rows) {
      const key = keyOf(channel_id, topic_key)
      if (id !== null && id > (latest.get(key) ?? 0)) latest.set(key, id)
    }
    return latest
  }

  async #latest(topics: readonly TopicToRead[], condition: string, params: readonly UserId[]): Promise<LatestRow[]> {
    const rows: LatestRow[] = []
    for (const chunk of chunksOf(topics, TOPICS_A_STATEMENT)) {
      rows.push(
        ...(await this.session.all<LatestRow>(
          `select t.channel_id, t.topic_key,
            (select m.id from message m where m.topic_id = t.id ${condition} order by m.id desc limit 1) as id
            from topic t where ${chunk.map(() => '(t.channel_id = ? and t.topic_key = ?)').join(' or ')}`,
          [...params, ...chunk.flatMap(({ channelId, topic }) => [channelId, topicKey(topic)])],
        )),
      )
    }
    return rows
  }
}

/** Key of a topic in the result of `latestMessages`. */
export function latestMessageKey(channelId: ChannelId, topic: string): string {
  return keyOf(channelId, topicKey(topic))
}

function keyOf(channelId: ChannelId, key: string): string {
  return `${channelId}>${key}`
}

interface TopicRow {
  readonly name: string
  readonly topic_key: string
  readonly max_id: number | null
}

/** Returns one entry for each topic with its newest spelling, the topic with the newest message first. */
function withoutOlderSpellings(rows: readonly TopicRow[]): TopicEntry[] {
  const known = new Set<string>()
  const newest: TopicEntry[] = []
  for (const { name, topic_key: key, max_id: maxId } of rows.toSorted((a, b) => (b.max_id ?? 0) - (a.max_id ?? 0))) {
    if (maxId === null || known.has(key)) continue
    known.add(key)
    newest.push({ name, maxMessageId: maxId as MessageId })
  }
  return newest
}

export class TopicWriter extends TopicReader {
  /** Call it after the message `removed` was deleted. Deletes the topic if it is empty. */
  async forget(id: TopicId, removed: MessageId): Promise<void> {
    const newest = await this.session.get<{ id: MessageId }>(
      'select id from message where topic_id = ? order by id desc limit 1',
      [id],
    )
    if (!newest) await this.session.run('delete from topic where id = ?', [id])
    else if (newest.id < removed) {
      await this.session.run('update topic set max_message_id = ? where id = ?', [newest.id, id])
    }
  }

  /** Call it after messages of these topics moved. Deletes empty topics. */
  async leave(ids: readonly TopicId[]): Promise<void> {
    for (const id of ids) await this.forget(id, Number.MAX_SAFE_INTEGER as MessageId)
  }

  /**
   * Returns the topic with exactly this spelling, creating it if needed, for messages that move there. @param newest of
   * these messages
   */
  async enter(channelId: ChannelId, name: string, newest: MessageId): Promise<TopicId> {
    const known = await this.session.get<{ newest: number }>(
      'select max_message_id as newest from topic where channel_id = ? and topic_key = ? and name = ?',
      [channelId, topicKey(name), name],
    )
    const { id } = await this.touch(channelId, name, Math.max(newest, known?.newest ?? 0) as MessageId)
    return id
  }

  /**
   * Returns the topic with exactly this spelling, creating it if needed, with `messageId` as its newest message.
   * `isNew` if this spelling had no message before: only then can it be the first message of the topic or the channel.
   */
  async touch(channelId: ChannelId, name: string, messageId: MessageId): Promise<{ id: TopicId; isNew: boolean }> {
    const key = topicKey(name)
    const known = await this.session.get<{ id: TopicId; max_message_id: number }>(
      'select id, max_message_id from topic where channel_id = ? and topic_key = ? and name = ?',
      [channelId, key, name],
    )
    if (known) {
      await this.session.run('update topic set max_message_id = ? where id = ?', [messageId, known.id])
      return { id: known.id, isNew: known.max_message_id === 0 }
    }
    const { insertId } = await this.session.run(
      'insert into topic (channel_id, name, topic_key, max_message_id) values (?, ?, ?, ?)',
      [channelId, name, key, messageId],
    )
    return { id: insertId as TopicId, isNew: true }
  }
}
