import { chunksOf } from '../domain/chunks.ts'
import { FLAG } from '../domain/flags.ts'
import type { UserId } from '../domain/ids.ts'
import type { Session, SqlValue } from './session.ts'

/**
 * Condition: the message was sent to a channel while the user was subscribed to it.
 * @param userId SQL for the user's id, such as `?`
 * @param message name of the message in the statement
 */
export function receivedInChannel(userId: string, message = 'm'): string {
  return `exists (select 1 from subscription_span p where p.user_id = ${userId}
    and p.channel_id = ${message}.origin_channel_id and p.after_message_id < ${message}.id
    and (p.to_message_id is null or p.to_message_id >= ${message}.id))`
}

/** Messages of a channel that somebody received: those with `from` ≤ id ≤ `to`, sent there. */
export interface ReceivedRange {
  readonly channelId: number
  readonly from: number
  readonly to: number
}

/** On MariaDB a statement is a round trip, so many ranges share one. */
const RANGES_A_STATEMENT = 50

/** What one user received, found channel by channel: no message of anybody else is looked at. */
export class ReceivedMessages {
  readonly #session: Session
  readonly #userId: UserId
  #ranges: Promise<readonly ReceivedRange[]> | undefined

  constructor(session: Session, userId: UserId) {
    this.#session = session
    this.#userId = userId
  }

  /** One for each time that the user was subscribed to something. */
  ranges(): Promise<readonly ReceivedRange[]> {
    this.#ranges ??= this.#loadRanges()
    return this.#ranges
  }

  /** Ids from `from` to `to`, in no order; none twice. */
  async ids(from: number, to: number): Promise<number[]> {
    const clipped = (await this.ranges()).flatMap((range) => {
      const part = { channelId: range.channelId, from: Math.max(range.from, from), to: Math.min(range.to, to) }
      return part.from <= part.to ? [part] : []
    })
    const inChannels = await eachRange(this.#session, clipped, ({ channelId, from: least, to: most }) => ({
      sql: 'select id from message where origin_channel_id = ? and id between ? and ?',
      params: [channelId, least, most],
    }))
    const others = await this.#session.all<{ id: number }>(
      `select m.id from direct_group_member g cross join message m on m.direct_group_id = g.group_id
         where g.user_id = ? and m.id between ? and ?
       union all select f.message_id from message_flag f
         where f.user_id = ? and f.message_id between ? and ? and (f.flags & ${FLAG.historical}) <> 0`,
      [this.#userId, from, to, this.#userId, from, to],
    )
    return [...new Set([...inChannels, ...others].map((row) => row.id))]
  }

  async #loadRanges(): Promise<ReceivedRange[]> {
    const rows = await this.#session.all<{
      channel_id: number
      after_message_id: number
      to_message_id: number | null
    }>('select channel_id, after_message_id, to_message_id from subscription_span where user_id = ?', [this.#userId])
    return rows.map((row) => ({
      channelId: row.channel_id,
      from: row.after_message_id + 1,
      to: row.to_message_id ?? Number.MAX_SAFE_INTEGER,
    }))
  }
}

/** Rows of the same statement for each of `ranges`, in no order. */
export async function eachRange<Range>(
  session: Session,
  ranges: readonly Range[],
  statementOf: (range: Range) => { readonly sql: string; readonly params: readonly SqlValue[] },
): Promise<{ id: number }[]> {
  const rows: { id: number }[] = []
  if (session.dialect === 'sqlite') {
    for (const { sql, params } of ranges.map(statementOf)) {
      for (const row of await session.all<{ id: number }>(sql, params)) rows.push(row)
    }
    return rows
  }
  for (const chunk of chunksOf(ranges, RANGES_A_STATEMENT)) {
    const statements = chunk.map(statementOf)
    const sql = statements.map((one) => `(${one.sql})`).join(' union all ')
    const page = await session.all<{ id: number }>(
      sql,
      statements.flatMap(({ params }) => params),
    )
    for (const row of page) rows.push(row)
  }
  return rows
}
