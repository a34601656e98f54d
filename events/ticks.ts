import type { Database } from '../db/database.ts'
import type { Clock } from '../domain/clock.ts'
import type { Queue } from './event-queue.ts'

/** How long heartbeats share one ID of the log. */
const TICK_MS = 5000

/** Reserves IDs of the log for heartbeats. */
export class Ticks {
  readonly #db: Database
  readonly #clock: Clock
  #last: { readonly id: number; readonly atMs: number } | undefined

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Returns an ID above all that `queues` have acknowledged. No event will ever have this ID: with an invented one, a
   * client would miss the event that gets it later.
   */
  async after(queues: readonly Queue[]): Promise<number> {
    const now = this.#clock.monotonic()
    const last = this.#last
    if (last && now - last.atMs < TICK_MS && queues.every((queue) => queue.acknowledged < last.id)) return last.id
    const id = await this.#db.transaction(async (tx) => {
      const { eventId } = await tx.events.lockedHead()
      tx.events.append({ type: 'tick' }, { to: 'nobody' })
      return eventId + 1
    })
    this.#last = { id, atMs: now }
    return id
  }
}
