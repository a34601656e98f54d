import { setImmediate } from 'node:timers/promises'
import { isRetryable } from './dialect.ts'
import type { CommittedEvents, EventLogWriter } from './repositories/event-log.ts'
import type { WriterSession } from './session.ts'

interface Entry {
  readonly body: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: unknown }

/** More than this share no commit: the first would wait for the last. Measured best between 16 and 64. */
const MAX_BATCH = 64
const MAX_TRIES = 10

/**
 * All writes of a process, one body after another on the writer's connection, many bodies a commit (group commit,
 * architecture decision 2: 2,500 sends a second with one transaction each, 5,400 with shared ones).
 * Each body has a savepoint of its own, so one that throws takes nothing of the others with it; a body alone in its
 * batch needs none. A body's promise is settled only after the commit: what was acknowledged is on disk.
 */
export class WriteQueue {
  readonly #writer: WriterSession
  readonly #log: EventLogWriter
  readonly #onCommitted: (committed: CommittedEvents) => void
  readonly #waiting: Entry[] = []
  #draining: Promise<void> | undefined
  #isClosed = false

  constructor(writer: WriterSession, log: EventLogWriter, onCommitted: (committed: CommittedEvents) => void) {
    this.#writer = writer
    this.#log = log
    this.#onCommitted = onCommitted
  }

  /**
   * Runs `body` in a transaction and settles after its commit. The body may run again after a deadlock, has no effect
   * outside the transaction, and waits for nothing but its own statements: everybody waits behind it.
   */
  run<T>(body: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the database is closed'))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Waits for what is queued, and takes no more. */
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
      // Let sockets be read before the next batch: who was just answered may have the next request there.
      await setImmediate()
    }
    this.#draining = undefined
  }

  async #runBatch(batch: readonly Entry[]): Promise<void> {
    let outcomes: Outcome[]
    let committed: CommittedEvents | undefined
    for (let tries = 1; ; tries += 1) {
      try {
        ;({ outcomes, committed } = await this.#tryBatch(batch))
        break
      } catch (err) {
        await this.#rollback()
        if (isRetryable(err) && tries < MAX_TRIES) continue
        for (const entry of batch) entry.reject(err)
        return
      }
    }
    try {
      // Listeners first: a poll that is parked learns of the event before the sender's next request can arrive.
      if (committed && committed.events.length > 0) this.#onCommitted(committed)
    } finally {
      // The rows are on disk, whatever a listener makes of them.
      batch.forEach((entry, index) => {
        const outcome = outcomes[index]
        if (outcome?.ok) entry.resolve(outcome.value)
        else entry.reject(outcome?.reason)
      })
    }
  }

  async #tryBatch(batch: readonly Entry[]): Promise<{ outcomes: Outcome[]; committed: CommittedEvents | undefined }> {
    const outcomes: Outcome[] = []
    const isAlone = batch.length === 1
    await this.#writer.begin()
    this.#log.beginBatch()
    for (const { body } of batch) outcomes.push(await this.#runBody(body, isAlone))
    if (outcomes.every((outcome) => !outcome.ok)) {
      await this.#writer.rollback()
      return { outcomes, committed: undefined }
    }
    const committed = await this.#log.endBatch()
    await this.#writer.commit()
    return { outcomes, committed }
  }

  async #runBody(body: () => Promise<unknown>, isAlone: boolean): Promise<Outcome> {
    this.#log.beginBody()
    if (!isAlone) await this.#writer.savepoint()
    try {
      const value = await body()
      await this.#log.endBody()
      if (!isAlone) await this.#writer.releaseSavepoint()
      return { ok: true, value }
    } catch (reason) {
      if (isRetryable(reason)) throw reason
      this.#log.abandonBody()
      if (!isAlone) await this.#writer.rollbackToSavepoint()
      return { ok: false, reason }
    }
  }

  async #rollback(): Promise<void> {
    try {
      await this.#writer.rollback()
    } catch {
      // The connection is gone, and the transaction with it.
    }
  }
}
