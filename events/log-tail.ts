import type { Database } from '../db/database.ts'
import type { LoggedEvent } from '../domain/log-event.ts'

/** Events kept in memory: a client that is further behind is served from the table. */
const MAX_EVENTS = 10_000
const PAGE = 1000

/** The newest part of the event log in memory, so that no event costs a query per queue. */
export class LogTail {
  readonly #db: Database
  /** Every event above this position, up to the head, is in `#events`. */
  #after = 0
  #head = 0
  #events: LoggedEvent[] = []

  constructor(db: Database) {
    this.#db = db
  }

  /** Starts at the present head; what came before is read from the table when asked for. */
  async start(): Promise<void> {
    const { eventId } = await this.#db.read.events.head()
    this.#after = eventId
    this.#head = eventId
  }

  /** Highest event id given out; everything up to it can be read. */
  get head(): number {
    return this.#head
  }

  push(events: readonly LoggedEvent[]): void {
    this.#events.push(...events)
    const last = events.at(-1)
    if (last) this.#head = last.id + last.width - 1
    // Halved at once, not shifted one by one: an array's shift moves everything.
    if (this.#events.length > MAX_EVENTS * 2) {
      const dropped = this.#events.splice(0, this.#events.length - MAX_EVENTS).at(-1)
      if (dropped) this.#after = dropped.id + dropped.width - 1
    }
  }

  /** Whether everything after `position` is in memory. */
  reaches(position: number): boolean {
    return position >= this.#after
  }

  /** Events after `position`, ascending. Only where `reaches(position)`. */
  since(position: number): readonly LoggedEvent[] {
    if (position >= this.#head) return []
    let low = 0
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.id ?? Number.POSITIVE_INFINITY) > position) high = middle
      else low = middle + 1
    }
    return low === 0 ? this.#events : this.#events.slice(low)
  }

  /**
   * One page of events after `position` from the table, for clients that are far behind. Nothing above `head`, even
   * when it is committed: what follows the log (audiences) has not seen it yet.
   */
  async page(position: number): Promise<LoggedEvent[]> {
    const events = await this.#db.read.events.after(position, PAGE)
    return events.filter((logged) => logged.id <= this.#head)
  }
}
