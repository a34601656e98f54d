import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { LoggedEvent } from '../domain/events/log-event.ts'
import type { EventId } from '../domain/ids.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { Batch } from './batch.ts'
import { isConnectionLost, isRetryable } from './dialect.ts'
import type { EventLogWriter } from './repositories/event-log.ts'
import type { SearchWriter } from './repositories/search.ts'
import type { WriterSession } from './session.ts'

interface Entry {
  readonly body: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: unknown }

/** Thrown if it is unknown whether the commit happened. */
class CommitFailedError extends Error {
  override readonly name = 'CommitFailedError'
  constructor(cause: unknown) {
    super('commit failed', { cause })
  }
}

/**
 * Maximum number of bodies that share a commit, because the first waits for the last. Between 16 and 64 measured best.
 */
const MAX_BATCH = 64
const MAX_TRIES = 10

/**
 * Runs all writes of a process, one body after another on the writer's connection, with many bodies per commit
 * (docs/decisions, "Shared commits": 2,500 sends a second with one transaction each, 5,400 with shared ones). Each body
 * has its own savepoint, so a body that throws undoes nothing of the others; a body alone in its batch needs none. If
 * the engine cannot return to a savepoint, the batch is rolled back, and each body runs alone. A body's promise is
 * settled only after the commit, so everything acknowledged is on disk.
 */
export class WriteQueue {
  readonly #writer: WriterSession
  readonly #batch: Batch
  readonly #log: EventLogWriter
  readonly #search: SearchWriter
  readonly #onLocked: (head: EventId) => Promise<void>
  readonly #onCommitted: (events: readonly LoggedEvent[]) => void
  readonly #onUncertain: () => Promise<void>
  readonly #waiting: Entry[] = []
  #draining: Promise<void> | undefined
  #isClosed = false

  /**
   * @param onLocked called before the first body of a batch, with the head of the log, which nobody else moves until
   * the commit
   * @param onCommitted called after each commit with events, before its senders are told
   * @param onUncertain called after a failed commit that may have reached the database all the same
   */
  constructor(
    writer: WriterSession,
    batch: Batch,
    log: EventLogWriter,
    search: SearchWriter,
    onLocked: (head: EventId) => Promise<void>,
    onCommitted: (events: readonly LoggedEvent[]) => void,
    onUncertain: () => Promise<void>,
  ) {
    this.#writer = writer
    this.#batch = batch
    this.#log = log
    this.#search = search
    this.#onLocked = onLocked
    this.#onCommitted = onCommitted
    this.#onUncertain = onUncertain
  }

  /**
   * Runs `body` in a transaction and settles after its commit. The body may run again after a deadlock or on another
   * connection, so it must have no effect outside of the transaction. It must wait for nothing but its own statements,
   * because everybody waits behind it.
   */
  run<T>(body: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the database is closed'))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Waits for queued writes, and accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    // Everything that arrives in this turn of the event loop shares a commit.
    await setImmediate()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      await this.#runBatch(batch)
      // Lets sockets be read before the next batch, because clients that were just answered may have sent their next
      // requests.
      await setImmediate()
    }
    this.#draining = undefined
  }

  async #runBatch(batch: readonly Entry[]): Promise<void> {
    let outcomes: Outcome[]
    let events: readonly LoggedEvent[]
    for (let tries = 1; ; tries += 1) {
      try {
        ;({ outcomes, events } = await this.#tryBatch(batch))
        break
      } catch (err) {
        await this.#rollback()
        const mostTries = isConnectionLost(err) ? 2 : isRetryable(err) ? MAX_TRIES : 1
        if (tries >= mostTries) return this.#giveUp(batch, err)
        // In a cluster, a node that tries again at once loses again and again to the batches of other nodes.
        await delay(Math.random() * 2 ** tries)
      }
    }
    // Parked polls are served first, so that a poll learns of an event before the sender's next request can arrive.
    if (events.length > 0) this.#onCommitted(events)
    batch.forEach((entry, index) => {
      const outcome = outcomes[index]
      if (outcome?.ok) entry.resolve(outcome.value)
      else entry.reject(outcome?.reason)
    })
  }

  /**
   * Handles a batch that is not known to be stored. Tries each body alone, so that a failing body does not stop the
   * others.
   */
  async #giveUp(batch: readonly Entry[], reason: unknown): Promise<void> {
    if (reason instanceof CommitFailedError) {
      // The database may have committed before the connection broke, so running the batch again could do everything
      // twice.
      await this.#onUncertain()
      for (const entry of batch) entry.reject(reason.cause)
    } else if (batch.length > 1) for (const entry of batch) await this.#runBatch([entry])
    else for (const entry of batch) entry.reject(reason)
  }

  async #tryBatch(batch: readonly Entry[]): Promise<{ outcomes: Outcome[]; events: readonly LoggedEvent[] }> {
    const outcomes: Outcome[] = []
    const isAlone = batch.length === 1
    await this.#writer.begin()
    await this.#onLocked(await this.#log.lock())
    const pauses = new Pauses()
    for (const { body } of batch) {
      // Readers are served between bodies (SEC-LOOP-2); other writers wait for the batch anyway.
      if (outcomes.length > 0) await pauses.letOthers()
      outcomes.push(await this.#runBody(body, isAlone))
    }
    if (outcomes.every((outcome) => !outcome.ok)) {
      await this.#writer.rollback()
      return { outcomes, events: [] }
    }
    await this.#search.store()
    const events = await this.#log.store()
    try {
      await this.#writer.commit()
    } catch (err) {
      if (isRetryable(err)) throw err
      throw new CommitFailedError(err)
    }
    return { outcomes, events }
  }

  async #runBody(body: () => Promise<unknown>, isAlone: boolean): Promise<Outcome> {
    const takeBack = this.#batch.mark()
    if (!isAlone) await this.#writer.savepoint()
    try {
      const value = await body()
      if (!isAlone) await this.#writer.releaseSavepoint()
      return { ok: true, value }
    } catch (reason) {
      if (isRetryable(reason) || isConnectionLost(reason)) throw reason
      takeBack()
      if (!isAlone) await this.#writer.rollbackToSavepoint()
      return { ok: false, reason }
    }
  }

  async #rollback(): Promise<void> {
    try {
      await this.#writer.rollback()
    } catch {
      // The connection is gone, and its transaction with it.
    }
  }
}
