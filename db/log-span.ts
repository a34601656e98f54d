import type { LogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import type { EventLogReader } from './repositories/event-log.ts'

/** For which positions of the event log something in memory is what the tables have. */
export class LogSpan {
  /** Of the event that changed it last. */
  #since = 0
  /** Everything in the log up to here is in it. */
  #upTo = 0

  /** It was read at this head of the log. */
  start(position: number): void {
    this.#since = position
    this.#upTo = position
  }

  /** The event is in it. To be called for every event, in the order of the log. */
  follow({ id, width }: LoggedEvent, isChanged: boolean): void {
    if (isChanged) this.#since = id
    this.#upTo = id + width - 1
  }

  /**
   * Whether it is what the tables have at this head. A commit is seen before it is announced, for as long as it takes to
   * bring it to the disk: where somebody always writes, most readers see one. So the log is asked what that commit is about.
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
