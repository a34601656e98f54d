import type { Clock } from '../../domain/clock.ts'
import { unixSeconds } from '../../domain/clock.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { LogEvent, LoggedEvent, LogRecord } from '../../domain/events/log-event.ts'
import type { EventId, MessageId } from '../../domain/ids.ts'
import { placeholders } from '../dialect.ts'
import { insertMany } from '../insert-many.ts'
import { Pauses } from '../pauses.ts'
import type { PendingEvents } from '../pending-events.ts'
import { Repository } from '../repository.ts'
import type { Session, SqlValue } from '../session.ts'

interface EventRow {
  readonly id: EventId
  readonly width: number
  readonly type: LogEvent['type']
  readonly payload: string
  readonly audience: string
}

export interface LogHead {
  /** Highest message id and event id given out; 0 before the first. */
  readonly messageId: MessageId
  readonly eventId: EventId
}

function fromRow({ id, width, type, payload, audience }: EventRow): LogRecord {
  return { id, width, type, payload, audience: JSON.parse(audience) as Audience }
}

/**
 * The id of the last of the events after a position that are taken together; null where there are none. Takes the
 * position, how many events these may be, and how many bytes all but the last may have. Does not read the texts.
 */
const END_OF_PAGE = `
  select max(id) from (
    select id, sum(size) over (order by id) - size as earlier
    from (
      select id, octet_length(payload) + octet_length(audience) as size from event where id > ? order by id limit ?
    ) as sizes
  ) as page where earlier < ?`

/** As much as an answer to GET /events carries, so that neither many events nor large ones fill memory. */
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
   * Events with an id above `position`, ascending: at most `limit`, and none after those that have `bytes` together. So one
   * event that is larger than that comes alone.
   */
  async after(position: number, limit: number, bytes = Number.MAX_SAFE_INTEGER): Promise<LogRecord[]> {
    const rows = await this.session.all<EventRow>(
      `select id, width, type, payload, audience from event where id > ? and id <= (${END_OF_PAGE}) order by id`,
      [position, position, limit, bytes],
    )
    return rows.map(fromRow)
  }

  /** Whether any of the events after a position and up to another one has one of these types. */
  async hasBetween(position: number, upTo: number, types: readonly LogEvent['type'][]): Promise<boolean> {
    const row = await this.session.get(
      `select 1 from event where id > ? and id <= ? and type in ${placeholders(types.length)} limit 1`,
      [position, upTo, ...types],
    )
    return row !== undefined
  }

  /** Bytes of the events after `position` in the log. Reads one of them, however many there are. */
  async bytesAfter(position: number): Promise<number> {
    const row = await this.session.get<{ bytes: number }>(
      `select (select event_bytes from log_head where id = 1) - bytes_before as bytes
       from event where id > ? order by id limit 1`,
      [position],
    )
    return row?.bytes ?? 0
  }

  /** What of the log after `position` is taken at once; the last of it is the position to go on from. */
  page(position: number): Promise<LogRecord[]> {
    return this.after(position, EVENTS_A_PAGE, BYTES_A_PAGE)
  }
}

/** The counters, as far as they are in this batch. */
interface Head {
  messageId: number
  eventId: number
  /** Of all events that were ever put into the log. */
  bytes: number
}

/** What a batch of the write queue put into the log, known once it is committed. */
export interface CommittedEvents {
  /** The head of the log before the batch: between it and the first event there is nothing. */
  readonly headBefore: EventId
  readonly events: readonly LoggedEvent[]
}

/**
 * Appends to the log and hands out ids. The counter row is locked by the first body of a batch that needs an id and
 * held until the batch commits; so ids commit in order, whoever else writes (with AUTO_INCREMENT a poller can see 12,
 * move on, and never see 11). Ids of a body that failed are given to the next one.
 */
export class EventLogWriter extends EventLogReader {
  readonly #clock: Clock
  readonly #pending: readonly PendingEvents[]
  readonly #lockHead: string
  #head: Head | undefined
  #headBefore: EventId | undefined
  #batch: Omit<LoggedEvent, 'payload'>[] = []
  #body: { readonly event: LogEvent; readonly audience: Audience; readonly width: number }[] = []
  #headAtBody: Head | undefined

  constructor(session: Session, clock: Clock, pending: readonly PendingEvents[]) {
    super(session)
    this.#clock = clock
    this.#pending = pending
    this.#lockHead = `select last_message_id as messageId, last_event_id as eventId, event_bytes as bytes
      from log_head where id = 1${session.dialect === 'mariadb' ? ' for update' : ''}`
  }

  /** The next message id. Ids commit in order, so a reader that saw one has seen all below it. */
  async nextMessageId(): Promise<MessageId> {
    const head = this.#head ?? (await this.#lock())
    head.messageId += 1
    return head.messageId as MessageId
  }

  /** The newest ids given out so far, this body's included; takes the lock, so that it stays true until commit. */
  async lockedHead(): Promise<LogHead> {
    const head = this.#head ?? (await this.#lock())
    return { messageId: head.messageId as MessageId, eventId: (head.eventId + this.#pendingWidth()) as EventId }
  }

  /**
   * Records an event of this body; it becomes visible together with the body's rows, or not at all.
   * @param width ids that the widest expansion of the event needs
   */
  append(event: LogEvent, audience: Audience, width = 1): void {
    this.#body.push({ event, audience, width })
    for (const one of this.#pending) one.append(event)
  }

  /** Whether an event after `position`, those of this batch included, has `text`: letters and digits alone, as they stand in JSON. */
  async saysAfter(position: EventId, text: string): Promise<boolean> {
    if (this.#batch.some(({ event }) => JSON.stringify(event).includes(text))) return true
    const row = await this.session.get('select 1 from event where id > ? and payload like ? limit 1', [
      position,
      `%${text}%`,
    ])
    return row !== undefined
  }

  /** Deletes the oldest events with ids up to `upTo`, as many as `after` reads at once. Returns how many. */
  async deleteOldest(upTo: number, limit: number, bytes: number): Promise<number> {
    const newest = await this.session.get<{ id: number | null }>(`select (${END_OF_PAGE}) as id`, [0, limit, bytes])
    if (newest?.id == null) return 0
    const { changes } = await this.session.run('delete from event where id <= ?', [Math.min(newest.id, upTo)])
    return changes
  }

  // The rest is called by the write queue alone.

  beginBatch(): void {
    this.#head = undefined
    this.#headBefore = undefined
    this.#headAtBody = undefined
    this.#batch = []
    this.#body = []
    for (const one of this.#pending) one.beginBatch()
  }

  beginBody(): void {
    this.#headAtBody = this.#head && { ...this.#head }
    this.#body = []
    for (const one of this.#pending) one.beginBody()
  }

  async endBody(): Promise<void> {
    if (this.#body.length === 0) return
    const head = this.#head ?? (await this.#lock())
    for (const { event, audience, width } of this.#body) {
      this.#batch.push({ id: (head.eventId + 1) as EventId, width, type: event.type, event, audience })
      head.eventId += width
    }
    this.#body = []
  }

  abandonBody(): void {
    // Without a head at its start the body took the lock itself; the next one asks again, lest the lock went with it.
    this.#head = this.#headAtBody
    if (!this.#head) this.#headBefore = undefined
    this.#body = []
    for (const one of this.#pending) one.abandonBody()
  }

  /** Writes the batch's events and the counter, as the last statements before commit. Others read between thousands of events (SEC-LOOP-4). */
  async endBatch(): Promise<CommittedEvents | undefined> {
    const head = this.#head
    if (!head || this.#headBefore === undefined) return undefined
    const pauses = new Pauses()
    const events: LoggedEvent[] = []
    for (const logged of this.#batch) {
      events.push({ ...logged, payload: JSON.stringify(logged.event) })
      await pauses.letOthers()
    }
    const columns = 'id, width, type, payload, audience, created_at, bytes_before'
    await insertMany(this.session, `event (${columns})`, this.#rows(events, head), pauses)
    await this.session.run('update log_head set last_message_id = ?, last_event_id = ?, event_bytes = ? where id = 1', [
      head.messageId,
      head.eventId,
      head.bytes,
    ])
    return { headBefore: this.#headBefore, events }
  }

  async #lock(): Promise<Head> {
    const row = await this.session.get<Head>(this.#lockHead)
    if (!row) throw new Error('the database has no log head: its first migration did not finish')
    this.#head = { ...row }
    this.#headBefore = row.eventId as EventId
    return this.#head
  }

  #pendingWidth(): number {
    return this.#body.reduce((sum, { width }) => sum + width, 0)
  }

  /** @param head counts the bytes of what is inserted */
  *#rows(records: readonly LogRecord[], head: Head): Iterable<readonly SqlValue[]> {
    const createdAt = unixSeconds(this.#clock)
    for (const { id, width, type, payload, ...record } of records) {
      const audience = JSON.stringify(record.audience)
      const before = head.bytes
      head.bytes += Buffer.byteLength(payload) + Buffer.byteLength(audience)
      yield [id, width, type, payload, audience, createdAt, before]
    }
  }
}
