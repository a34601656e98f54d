import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { mock } from 'node:test'
import { readContract } from '../conformance/wire/contract.ts'
import { Database } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import { type NamedWork, namedWorks } from '../event-loop/named-work.ts'

/**
 * The server's write queue, which can be held so that everything arriving meanwhile shares a batch. Writes of jobs,
 * which follow the log beside the requests, wait until it is released.
 */
export class HeldQueue {
  readonly #arrivals = new EventTarget()
  readonly #work = new AsyncLocalStorage<NamedWork>()
  #db: Database | undefined
  #held: Promise<void> | undefined

  /** Sees every transaction of the process. `db` is the database that the process writes to first. */
  static watch(): HeldQueue {
    const { operations } = readContract()
    const isRequest = (name: string): boolean => operations.has(name) || name === 'request without operation'
    const queue = new HeldQueue()
    namedWorks.bindStore(queue.#work as AsyncLocalStorage<unknown>)
    const original = Database.prototype.transaction
    mock.method(Database.prototype, 'transaction', function watched<T>(this: Database, body: (tx: Tx) => Promise<T>) {
      queue.#db ??= this
      const by = queue.#work.getStore()?.name
      if (queue.#held && by !== undefined && !isRequest(by)) return queue.#held.then(() => original.call(this, body))
      const result = original.call(this, body) as Promise<T>
      queue.#arrivals.dispatchEvent(new Event('arrival'))
      return result
    })
    return queue
  }

  get db(): Database {
    return this.#db ?? assert.fail('nothing was written yet')
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
