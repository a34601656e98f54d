import type { Clock } from '../../domain/clock.ts'
import { unixSeconds } from '../../domain/clock.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { LogEvent, LoggedEvent, LogRecord } from '../../domain/events/log-event.ts'
import type { EventId, MessageId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Batch, LogCounters } from '../batch.ts'
import { placeholders } from '../dialect.ts'
import { insertMany } from '../insert-many.ts'
import { Repository } from '../repository.ts'
import type { Session, SqlValue } from '../session.ts'

interface EventRow {
  readonly id: EventId
  readonly width: number
  readonly type: LogEvent['type']
  readonly payload: string
  readonly audience: string
}

export type LogHead = Pick<LogCounters, 'messageId' | 'eventId'>

function fromRow({ id, width, type, payload, audience }: EventRow): LogRecord {
  return { id, width, type, payload, audience: JSON.parse(audience) as Audience }
}

/**
 * Finds the ID of the last event of a page after a position; null if there is none. Takes the position, the maximum
 * number of events, and the maximum bytes of all but the last. Does not read the texts.
 */
const END_OF_PAGE = `
  select max(id) from (
    select id, sum(size) over (order by id) - size as earlier
    from (
      select id, octet_length(payload) + octet_length(audience) as size from event where id > ? order by id limit ?
    ) as sizes
  ) as page where earlier < ?`

/** The limits of an answer to GET /events, so that neither many nor large events fill memory. */
const EVENTS_A_PAGE = 1000
const BYTES_A_PAGE = 1024 * 1024

export class EventLogReader extends Repository {
  async head(): Promise<LogHead> {
    const row = await this.session.get<{ messageId: MessageId; eventId: EventId }>(
      'select last_message_id as messageId, last_event_id as eventId from log_head where id = 1',
    )
    if (!row) throw new Error('the database has no log head: its first migration did not finish')
    return row
  }

  /**
   * Returns events with IDs above `position`, ascending: at most `limit`, and none after the total exceeds `bytes`. A
   * larger event comes alone.
   */
  async after(position: number, limit: number, bytes = Number.MAX_SAFE_INTEGER): Promise<LogRecord[]> {
    const rows = await this.session.all<EventRow>(
      `select id, width, type, payload, audience from event where id > ? and id <= (${END_OF_PAGE}) order by id`,
      [position, position, limit, bytes],
    )
    return rows.map(fromRow)
  }

  /** Returns the newest event up to `position`. */
  async at(position: number): Promise<Pick<LogRecord, 'id' | 'width'> | undefined> {
    return this.session.get('select id, width from event where id <= ? order by id desc limit 1', [position])
  }

  /** Whether an event after one position and up to another has one of these types. */
  async hasBetween(position: number, upTo: number, types: readonly LogEvent['type'][]): Promise<boolean> {
    const row = await this.session.get(
      `select 1 from event where id > ? and id <= ? and type in ${placeholders(types.length)} limit 1`,
      [position, upTo, ...types],
    )
    return row !== undefined
  }

  /** Returns the bytes of all events after `position`. Reads one event, however many there are. */
  async bytesAfter(position: number): Promise<number> {
    const row = await this.session.get<{ bytes: number }>(
      `select (select event_bytes from log_head where id = 1) - bytes_before as bytes
       from event where id > ? order by id limit 1`,
      [position],
    )
    return row?.bytes ?? 0
  }

  /** Returns a page of the log after `position`; continue from its last event. */
  page(position: number): Promise<LogRecord[]> {
    return this.after(position, EVENTS_A_PAGE, BYTES_A_PAGE)
  }
}

/**
 * Appends to the log and assigns IDs. A batch locks the counter row before its first body, until it commits. So IDs
 * commit in order even if other processes write (with AUTO_INCREMENT a poller can see 12, move on, and never see 11),
 * and no other process changes anything while a body decides. The next body uses the IDs of a failed one.
 */
export class EventLogWriter extends EventLogReader {
  readonly #clock: Clock
  readonly #batch: Batch
  readonly #lockCounters: string
  #stored: LogCounters | undefined

  constructor(session: Session, clock: Clock, batch: Batch) {
    super(session)
    this.#clock = clock
    this.#batch = batch
    this.#lockCounters = `select last_message_id as messageId, last_event_id as eventId, event_bytes as bytes
      from log_head where id = 1${session.dialect === 'mariadb' ? ' for update' : ''}`
  }

  /** Returns the next message ID. IDs commit in order, so a reader that has seen one has seen all lower ones. */
  async nextMessageId(): Promise<MessageId> {
    return this.#batch.nextMessageId()
  }

  /**
   * Returns the newest IDs used so far, including those of this body. Until commit, no other process can use higher
   * ones.
   */
  async lockedHead(): Promise<LogHead> {
    return this.#batch.counters
  }

  /**
   * Adds an event of this body; it becomes visible together with the body's rows, or not at all.
   *
   * @param width IDs that the largest expansion of the event needs
   */
  append(event: LogEvent, audience: Audience, width = 1): void {
    this.#batch.append(event, audience, width)
  }

  /** Bytes of the events of this body. */
  get bodyBytes(): number {
    return this.#batch.bodyBytes
  }

  /**
   * Whether an event after `position`, including those of this batch, contains `text`: letters and digits only, as in
   * JSON.
   */
  async containsAfter(position: EventId, text: string): Promise<boolean> {
    if (this.#batch.events.some(({ payload }) => payload.includes(text))) return true
    const row = await this.session.get('select 1 from event where id > ? and payload like ? limit 1', [
      position,
      `%${text}%`,
    ])
    return row !== undefined
  }

  /** Deletes the oldest events with IDs up to `upTo`, as many as `after` reads at once. Returns how many. */
  async deleteOldest(upTo: number, limit: number, bytes: number): Promise<number> {
    const newest = await this.session.get<{ id: number | null }>(`select (${END_OF_PAGE}) as id`, [0, limit, bytes])
    if (newest?.id == null) return 0
    const { changes } = await this.session.run('delete from event where id <= ?', [Math.min(newest.id, upTo)])
    return changes
  }

  // Only the write queue calls the following.

  /** Locks the log until commit and begins the batch. Returns the ID of the newest event. */
  async lock(): Promise<EventId> {
    const counters = await this.session.get<LogCounters>(this.#lockCounters)
    if (!counters) throw new Error('the database has no log head: its first migration did not finish')
    this.#stored = counters
    this.#batch.begin(counters)
    return counters.eventId
  }

  /**
   * Writes the batch's events and the counters, as the last statements before commit, and returns the events. Other
   * requests read between thousands of events (SEC-LOOP-4).
   */
  async store(): Promise<readonly LoggedEvent[]> {
    const { counters } = this.#batch
    if (counters === this.#stored) return []
    const events = [...this.#batch.events]
    const columns = 'id, width, type, payload, audience, created_at, bytes_before'
    let { bytes } = counters
    const createdAt = unixSeconds(this.#clock)
    const rows = events.values().map(({ id, width, type, payload, ...event }): SqlValue[] => {
      const audience = JSON.stringify(event.audience)
      const before = bytes
      bytes += Buffer.byteLength(payload) + Buffer.byteLength(audience)
      return [id, width, type, payload, audience, createdAt, before]
    })
    await insertMany(this.session, `event (${columns})`, rows, new Pauses())
    await this.session.run('update log_head set last_message_id = ?, last_event_id = ?, event_bytes = ? where id = 1', [
      counters.messageId,
      counters.eventId,
      bytes,
    ])
    return events
  }
}
