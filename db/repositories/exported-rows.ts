import type { SubscriptionSpan } from '../../domain/channels/channel.ts'
import type { ChannelId, DirectGroupId, MessageId, UserId } from '../../domain/ids.ts'
import type { ArchivedTable } from '../archive/archived-table.ts'
import { listOf } from '../dialect.ts'
import { octetsOf, rowsInBytes } from '../pieces.ts'
import { Repository } from '../repository.ts'
import type { SqlValue } from '../session.ts'

export type ArchivedRow = Readonly<Record<string, unknown>>
/** Maximum number of rows read together. */
const ROWS_A_PAGE = 500
const MESSAGES_A_PAGE = 100

/** Bytes of a message with its reactions and other parts. A reaction counts as a hundred. */
const MESSAGE_BYTES = `${octetsOf(['m.content', 'm.rendered_content', 'm.edit_history'])}
  + (select count(*) * 100 from reaction r where r.message_id = m.id)
  + (select coalesce(sum(octet_length(s.content) + 100), 0) from submessage s where s.message_id = m.id)`

/** A stored message with the name of its topic. */
export interface ExportedMessage {
  readonly id: MessageId
  readonly sender_id: number
  readonly channel_id: ChannelId | null
  readonly origin_channel_id: ChannelId | null
  readonly topic: string | null
  readonly direct_group_id: DirectGroupId | null
  readonly sent_at: number
  readonly client: string
  readonly is_me_message: number
  readonly has_link: number
  readonly has_image: number
  readonly mentions_channel: number
  readonly content: string
  readonly rendered_content: string
  readonly last_edited_at: number | null
  readonly last_moved_at: number | null
  /** JSON, newest first. */
  readonly edit_history: string | null
}

/** A subscription of a user to a channel. */
export interface ExportedSubscription {
  readonly user_id: UserId
  readonly channel_id: ChannelId
  readonly is_active: number
}

type Span = Pick<SubscriptionSpan, 'afterMessageId' | 'toMessageId'> & { readonly userId: UserId }

/** Reads rows for an export, in pages along an index, for all users. exports/ decides which rows are included. */
export class ExportedRowReader extends Repository {
  /** Returns some messages after `after` up to `upTo` by ascending ID; none if there are no more. */
  async messages(after: number, upTo: number): Promise<ExportedMessage[]> {
    const rows = {
      columns: `m.id, m.sender_id, m.channel_id, m.origin_channel_id, t.name as topic, m.direct_group_id, m.sent_at, m.client,
        m.is_me_message, m.has_link, m.has_image, m.mentions_channel, m.content, m.rendered_content, m.last_edited_at, m.last_moved_at, m.edit_history`,
      from: 'from message m left join topic t on t.id = m.topic_id where m.id > ? and m.id <= ? order by m.id',
      bytes: MESSAGE_BYTES,
      limit: MESSAGES_A_PAGE,
    }
    return rowsInBytes<ExportedMessage>(this.session, rows, [after, upTo])
  }

  /** Whether there are more messages than `limit`. */
  async hasMoreMessages(limit: number): Promise<boolean> {
    return (await this.session.get('select id from message order by id limit 1 offset ?', [limit])) !== undefined
  }

  /** By user, after `after`. */
  async subscriptions(channelId: ChannelId, after: number, limit: number): Promise<ExportedSubscription[]> {
    return this.session.all<ExportedSubscription>(
      `select user_id, channel_id, is_active from subscription where channel_id = ? and user_id > ?
       order by user_id limit ?`,
      [channelId, after, limit],
    )
  }

  /**
   * Yields the rows of a table in pages, in the order and form of the archive.
   *
   * @param isWanted whether rows that begin with this number are read, for tables that must be searched number by
   * number
   */
  async *rowsOf(
    { table, columns, order, where = '1 = 1' }: Pick<ArchivedTable, 'table' | 'columns' | 'order' | 'where'>,
    isWanted: (first: number) => boolean,
  ): AsyncIterable<ArchivedRow[]> {
    const [first, ...rest] = order
    const names = [...new Set([...order, ...Object.keys(columns)])].map((name) => `\`${name}\``)
    const archived = (rows: readonly ArchivedRow[]) =>
      rows.map((row) =>
        Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.toArchive(row[name])])),
      )
    if (rest.length === 0) {
      yield* this.#pages({ names, from: `from ${table} where ${where}`, by: [first] }, [], archived)
      return
    }
    const next = `select min(${first}) as id from ${table} where ${first} > ?`
    for (let of = await this.#first(next, 0); of !== null; of = await this.#first(next, of)) {
      if (!isWanted(of)) continue
      yield* this.#pages({ names, from: `from ${table} where ${where} and ${first} = ?`, by: rest }, [of], archived)
    }
  }

  async *#pages(
    { names, from, by }: { readonly names: readonly string[]; readonly from: string; readonly by: readonly string[] },
    params: readonly number[],
    archived: (rows: readonly ArchivedRow[]) => ArchivedRow[],
  ): AsyncIterable<ArchivedRow[]> {
    const [bytes, columns, order] = [octetsOf(names), names.join(', '), `order by ${by.join(', ')}`]
    for (let last: ArchivedRow | undefined; ; ) {
      const values = last === undefined ? [] : by.map((name) => last?.[name] as SqlValue)
      // The first condition is for MariaDB, which cannot use the index for the second.
      const behind =
        last === undefined ? '' : `and ${by[0]} >= ? and (${by.join(', ')}) > (${by.map(() => '?').join(', ')})`
      const page: ArchivedRow[] = await rowsInBytes<ArchivedRow>(
        this.session,
        { columns, from: `${from} ${behind} ${order}`, bytes, limit: ROWS_A_PAGE },
        [...params, ...values.slice(0, 1), ...values],
      )
      last = page.at(-1)
      if (last === undefined) return
      yield archived(page)
    }
  }

  async #first(sql: string, after: number): Promise<number | null> {
    return (await this.session.get<{ id: number | null }>(sql, [after]))?.id ?? null
  }

  /**
   * Returns for each user the message up to which the user has read everything, except where a block says otherwise.
   */
  async readThrough(ids: readonly UserId[]): Promise<Map<UserId, number>> {
    const list = listOf(this.session.dialect, ids)
    const rows = await this.session.all<{ id: UserId; read_through: number }>(
      `select id, read_through from user where id in ${list.sql}`,
      list.params,
    )
    return new Map(rows.map((row) => [row.id, Number(row.read_through)]))
  }

  /** Returns the subscription periods of the channel, in message IDs. */
  async spans(channelId: ChannelId): Promise<Span[]> {
    return this.session.all<Span>(
      `select user_id as userId, after_message_id as afterMessageId, to_message_id as toMessageId
       from subscription_span where channel_id = ?`,
      [channelId],
    )
  }

  /** Returns the files that the messages refer to, by message. @param upTo the last message; both ends are included */
  async files(from: MessageId, upTo: MessageId): Promise<{ message_id: MessageId; attachment_id: number }[]> {
    return this.session.all(
      'select message_id, attachment_id from attachment_message where message_id between ? and ? order by message_id',
      [from, upTo],
    )
  }
}
