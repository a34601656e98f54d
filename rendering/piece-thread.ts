import { Worker } from 'node:worker_threads'
import type { Piece, PieceHtml } from '../domain/markdown/pieces.ts'
import type { Order, Report } from './order.ts'

/** What came of the pieces of one message. */
export interface Outcome {
  /** In the order of the pieces; undefined when none of them was ready in time. */
  readonly htmls: readonly PieceHtml[] | undefined
  /** Of the processor's time. */
  readonly ms: number
  /** What happened that should not. */
  readonly errors: readonly unknown[]
}

/** Processor time that the pieces of one message may take, and after which no further piece is begun. */
export interface TimeLimit {
  readonly beginMs: number
  readonly endMs: number
  /** By the clock: after this long without pieces the thread ends. */
  readonly idleMs: number
}

/** What an order may take by the clock, with loading: a thread may have to wait for a processor. */
const PATIENCE_MS = 60_000

/** For the libraries and one message at a time; the largest formulas take a few megabytes. */
const MEMORY = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 }

/**
 * A thread that is there from the first pieces on, and is replaced when some take it too long or kill it. It ends when
 * nothing is asked of it for a while, because its 35 to 50 MiB of memory come back in no other way.
 */
export class PieceThread {
  readonly #limit: TimeLimit
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(limit: TimeLimit) {
    this.#limit = limit
  }

  /** Whether there is a thread at present. */
  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** One call at a time. Never fails: what the thread cannot do has no HTML. */
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
      /** The processor's time is what counts: a busy machine is no reason to show a formula as its source. */
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

  /** Ends the thread, whatever it does; what it was asked for has no HTML. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
      resourceLimits: MEMORY,
      // Nothing that the server knows is its business, secrets above all.
      env: {},
      execArgv: [],
    })
    // Between two orders, too.
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
  // It fails when the thread has just ended, which is told in other ways.
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}
