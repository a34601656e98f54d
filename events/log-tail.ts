import type { Database } from '../db/database.ts'
import type { LogRecord } from '../domain/events/log-event.ts'
import { heapBytes } from '../domain/heap-bytes.ts'
import { LOG_TAIL_BYTES } from '../domain/limits.ts'

/** Maximum number of events read at once. Others are served between the pages of a client with many more to see. */
const PAGE = 1000
/** The fraction of the bytes that is dropped at a time, because each time the rest is moved. */
const DROPPED_PART = 1 / 16

interface Held extends LogRecord {
  readonly bytes: number
}

/**
 * The newest part of the event log in memory, so that no event costs a query for each queue. Limited by bytes, because
 * an event may be as large as a message. Keeps only the JSON of each event, which keeps nothing else in memory, such as
 * its request.
 */
export class LogTail {
  readonly #db: Database
  readonly #maxBytes: number
  /** Every event above this position, up to the head, is in `#records`. */
  #after = 0
  #head = 0
  #records: Held[] = []
  #bytes = 0

  constructor(db: Database, maxBytes = LOG_TAIL_BYTES) {
    this.#db = db
    this.#maxBytes = maxBytes
  }

  /**
   * Starts at the position from which the database announces events. Earlier events are read from the table on demand.
   */
  start(): void {
    this.#after = this.#db.position
    this.#head = this.#after
  }

  /** The highest event ID used; everything up to it can be read. */
  get head(): number {
    return this.#head
  }

  /** Estimated memory of the events; never more than `maxBytes`. */
  get bytes(): number {
    return this.#bytes
  }

  push(records: readonly LogRecord[]): void {
    for (const record of records) {
      const held = heldOf(record)
      this.#records.push(held)
      this.#bytes += held.bytes
      this.#head = endOf(held)
      if (this.#bytes > this.#maxBytes) this.#drop()
    }
  }

  #drop(): void {
    const kept = this.#maxBytes * (1 - DROPPED_PART)
    const from = this.#records.findIndex((held) => {
      if (this.#bytes <= kept) return true
      this.#bytes -= held.bytes
      this.#after = endOf(held)
      return false
    })
    this.#records = from === -1 ? [] : this.#records.slice(from)
  }

  /** Whether memory has everything after `position`. */
  reaches(position: number): boolean {
    return position >= this.#after
  }

  /** Returns a page of events after `position`, ascending; none at the head. Only if `reaches(position)`. */
  since(position: number): readonly LogRecord[] {
    if (position >= this.#head) return []
    const from = this.#indexAfter(position)
    return this.#records.slice(from, from + PAGE)
  }

  /**
   * Returns `position`, or where its event begins if it is in the middle of one: a client may acknowledge some of the
   * events to which one expands.
   */
  async beginningAt(position: number): Promise<number> {
    const at = this.reaches(position)
      ? this.#records[this.#indexAfter(position) - 1]
      : await this.#db.read.events.at(position)
    return at && endOf(at) > position ? at.id - 1 : position
  }

  #indexAfter(position: number): number {
    let low = 0
    let high = this.#records.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#records[middle]?.id ?? Number.POSITIVE_INFINITY) > position) high = middle
      else low = middle + 1
    }
    return low
  }

  /**
   * Returns a page of events after `position` from the table, for clients that are far behind. Nothing above `head`,
   * even if committed, because followers of the log (audiences) have not seen it yet.
   */
  async page(position: number): Promise<LogRecord[]> {
    const records = await this.#db.read.events.page(position)
    return records.filter((record) => record.id <= this.#head)
  }
}

/** @param record may have more, such as the event itself, which is not kept */
function heldOf({ id, width, type, audience, payload }: LogRecord): Held {
  return { id, width, type, audience, payload, bytes: heapBytes(payload) + heapBytes(audience) + heapBytes(type) }
}

function endOf({ id, width }: Pick<LogRecord, 'id' | 'width'>): number {
  return id + width - 1
}
