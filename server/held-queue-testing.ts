import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mock } from 'node:test'
import { Database } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'

/** The server's write queue, which can be held so that what arrives meanwhile shares a batch. */
export class HeldQueue {
  readonly #arrivals = new EventTarget()
  #db: Database | undefined

  /** Sees every transaction of the process; `db` is the database that is written to first. */
  static watch(): HeldQueue {
    const queue = new HeldQueue()
    const original = Database.prototype.transaction
    mock.method(Database.prototype, 'transaction', function watched<T>(this: Database, body: (tx: Tx) => Promise<T>) {
      queue.#db ??= this
      const result = original.call(this, body) as Promise<T>
      queue.#arrivals.dispatchEvent(new Event('arrival'))
      return result
    })
    return queue
  }

  get db(): Database {
    return this.#db ?? assert.fail('nothing was written yet')
  }

  /** Settles with the next transaction that is queued. */
  async arrival(): Promise<void> {
    await once(this.#arrivals, 'arrival')
  }

  /** Lets nothing be written until the promise that `work` returns is settled. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const holding = this.db.transaction(() => {
      begun.resolve()
      return done.promise
    })
    await begun.promise
    try {
      return await work()
    } finally {
      done.resolve()
      await holding
    }
  }
}
