import type { LoggedEvent } from '../domain/events/log-event.ts'

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

  covers(head: number): boolean {
    return this.#since <= head && head <= this.#upTo
  }
}
