import { Worker } from 'node:worker_threads'
import type { Piece, PieceHtml } from '../domain/markdown/pieces.ts'
import type { Order, Report } from './order.ts'

/** The result for the pieces of one message. */
export interface Outcome {
  /** In the order of the pieces; undefined if none was ready in time. */
  readonly htmls: readonly PieceHtml[] | undefined
  /** Processor time in milliseconds. */
  readonly ms: number
  /** Errors that should not happen. */
  readonly errors: readonly unknown[]
}

/** Processor time limits in milliseconds for the pieces of one message: for starting a further piece, and in total. */
export interface TimeLimit {
  readonly beginMs: number
  readonly endMs: number
  /** Wall-clock time without pieces after which the thread ends. */
  readonly idleMs: number
}

/** Wall-clock limit for an order, with loading, because a thread may have to wait for a processor. */
const PATIENCE_MS = 60_000

/** Enough for the libraries and one message; the largest formulas take a few megabytes. */
const MEMORY = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 }

/**
 * A thread that starts with the first pieces, and is replaced when pieces take too long or crash it. It ends when it
 * has been idle for a while, because nothing else frees its 35 to 50 MiB of memory.
 */
export class PieceThread {
  readonly #limit: TimeLimit
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(limit: TimeLimit) {
    this.#limit = limit
  }

  /** Whether the thread is running. */
  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** Accepts one call at a time and never fails: pieces that cannot be rendered have no HTML. */
  run(pieces: readonly Piece[]): Promise<Outcome> {
    const { beginMs, endMs, idleMs } = this.#limit
    clearTimeout(this.#idle)
    const worker = this.#worker ?? this.#start()
    return new Promise((resolve) => {
      let isFinished = false
      let clock: NodeJS.Timeout | undefined
      const finish = (outcome: Outcome): void => {
        isFinished = true
        clearTimeout(clock)
        clearTimeout(patience)
        worker.off('message', onReport).off('error', onError).off('exit', onExit).unref()
        this.#idle = setTimeout(() => this.#end(worker), idleMs).unref()
        resolve(outcome)
      }
      const giveUp = (...errors: readonly unknown[]): void => {
        if (isFinished) return
        this.#end(worker)
        finish({ htmls: undefined, ms: endMs, errors })
      }
      /**
       * Limits count processor time, because a busy machine should not be the reason why a formula is shown as its
       * source.
       */
      const watch = (startMs: number, ms: number): void => {
        clock = setTimeout(async () => {
          const msLeft = startMs + endMs - (await processorMs(worker))
          if (msLeft <= 0) giveUp()
          else if (!isFinished) watch(startMs, Math.max(10, msLeft))
        }, ms)
      }
      const onReport = (report: Report): void => {
        if (report.kind === 'begun') watch(report.processorMs, endMs)
        else finish(report)
      }
      const onError = (err: unknown): void => giveUp(err)
      const onExit = (): void => giveUp(new Error('the thread ended'))
      const patience = setTimeout(() => giveUp(new Error('the thread did not answer')), PATIENCE_MS)
      worker.on('message', onReport).on('error', onError).on('exit', onExit).ref()
      worker.postMessage({ pieces, beginMs } satisfies Order)
    })
  }

  /** Ends the thread at once; the current order gets no HTML. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
      resourceLimits: MEMORY,
      // The thread needs nothing from the server's environment, least of all secrets.
      env: {},
      execArgv: [],
    })
    // The thread may also fail between two orders.
    worker.on('error', () => this.#end(worker)).on('exit', () => this.#end(worker))
    this.#worker = worker
    return worker
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    void worker.terminate()
  }
}

async function processorMs(worker: Worker): Promise<number> {
  // Fails if the thread has just ended, which is reported elsewhere.
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}
