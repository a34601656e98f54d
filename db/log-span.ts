import type { LogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import type { EventLogReader } from './repositories/event-log.ts'

/** The positions of the event log at which something in memory equals the tables. */
export class LogSpan {
  /** Position of the last event that changed it. */
  #since = 0
  /** Everything in the log up to this position is included. */
  #upTo = 0

  /** Call it when the data was read at this head of the log. */
  start(position: number): void {
    this.#since = position
    this.#upTo = position
  }

  /** Includes an event. Call it for every event, in the order of the log. */
  follow({ id, width }: LoggedEvent, isChanged: boolean): void {
    if (isChanged) this.#since = id
    this.#upTo = id + width - 1
  }

  /**
   * Whether the data equals the tables at this head. A commit is visible before it is announced, for as long as the
   * disk takes, and under constant writes most readers see such a commit. So this checks in the log what the commit
   * changed.
   *
   * @param log where the head was read
   * @param types of all events that may change it
   */
  async covers(
    log: Pick<EventLogReader, 'hasBetween'>,
    head: number,
    types: readonly LogEvent['type'][],
  ): Promise<boolean> {
    if (head > this.#upTo && (await log.hasBetween(this.#upTo, head, types))) return false
    return this.#since <= head
  }
}
