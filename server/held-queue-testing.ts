import { once } from 'node:events'
import { mock } from 'node:test'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import type { TestServer } from './testing.ts'

/**
 * The server's write queue, which can be held so that everything arriving meanwhile shares a batch. Writes of jobs,
 * which follow the log beside the requests, wait until it is released.
 */
export class HeldQueue {
  readonly db: Database
  readonly #arrivals = new EventTarget()
  #held: Promise<void> | undefined

  constructor({ parley }: TestServer) {
    const { db } = parley.inside
    this.db = db
    const original = db.transaction.bind(db)
    mock.method(db, 'transaction', <T>(body: (tx: Tx) => Promise<T>): Promise<T> => {
      if (this.#held && isOfJob()) return this.#held.then(() => original(body))
      const result = original(body)
      this.#arrivals.dispatchEvent(new Event('arrival'))
      return result
    })
  }

  /** Resolves with the next queued transaction. */
  async arrival(): Promise<void> {
    await once(this.#arrivals, 'arrival')
  }

  /** Holds all writes until the promise from `work` settles. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const holding = this.db.transaction(() => {
      begun.resolve()
      return done.promise
    })
    await begun.promise
    this.#held = done.promise
    try {
      return await work()
    } finally {
      this.#held = undefined
      done.resolve()
      await holding
    }
  }
}

/** Whether a job writes: all of its writes go through its lease. */
function isOfJob(): boolean {
  return new Error('who writes?').stack?.includes('/jobs/lease.ts') ?? false
}
