import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'

/** Pages in the write-ahead log from which on they are brought into the database file; SQLite's own default. */
const DUE_FRAMES = 1000
/** From so many on writers wait for the thread, which cannot follow. */
const LONG_FRAMES = 4000
/** From so many on the writer does it itself: there is no thread. */
const OVERDUE_FRAMES = 16_000

/** Of the thread: nothing to do; a checkpoint to make; made, and what came meanwhile is left; it shall end. */
const [IDLE, DUE, DONE, ENDING] = [0, 1, 2, 3]

/** What the thread is told at its start. */
export interface CheckpointOrder {
  /** Of the database. */
  readonly file: string
  /** One 32-bit integer, the state. */
  readonly shared: SharedArrayBuffer
  readonly due: number
  readonly done: number
  readonly ending: number
}

/**
 * Checkpoints of one database file, in a thread of their own (SEC-LOOP-7). They wait for the disk, by hundreds of
 * milliseconds where it is slow or busy; on the event loop, where SQLite makes them as part of a commit, everybody
 * would wait with them. Writers wait for the few pages that were written meanwhile, without which a log that is written all
 * the time would never begin anew. The thread starts with the first checkpoint that is due.
 */
export class Checkpoints {
  readonly #file: string
  readonly #writer: Sqlite.Database
  readonly #state = new Int32Array(new SharedArrayBuffer(4))
  readonly #look: Sqlite.Statement
  #worker: Worker | undefined
  /** Whether writers wait for the checkpoint that is under way. */
  #isAwaited = false
  #isFinishing = false
  #hasFailed = false

  /** @param writer handle of the connection that commits */
  constructor(file: string, writer: Sqlite.Database) {
    this.#file = file
    this.#writer = writer
    writer.pragma(`wal_autocheckpoint = ${OVERDUE_FRAMES}`)
    this.#look = writer.prepare('pragma wal_checkpoint(NOOP)')
  }

  /** To be called before each transaction: undefined, or a promise of the end of a checkpoint that is waited for. */
  room(): Promise<unknown> | undefined {
    if (!this.#isAwaited || Atomics.load(this.#state, 0) !== DUE) return undefined
    const { async: isWaiting, value } = Atomics.waitAsync(this.#state, 0, DUE)
    return isWaiting ? value : undefined
  }

  /** To be called after each commit, when nobody reads; takes some microseconds. */
  onCommit(): void {
    const state = Atomics.load(this.#state, 0)
    if (this.#hasFailed) return
    const { log, checkpointed } = this.#look.get() as { log: number; checkpointed: number }
    const frames = log - checkpointed
    this.#isAwaited = this.#isFinishing || frames >= LONG_FRAMES
    if (state === DUE) return
    if (frames >= DUE_FRAMES) {
      this.#worker ??= this.#start()
      this.#isFinishing = false
      this.#tell(DUE)
    } else if (state === DONE && !this.#isFinishing) {
      this.#isFinishing = true
      this.#isAwaited = true
      this.#tell(DUE)
    } else if (state === DONE) {
      this.#isFinishing = false
      this.#tell(IDLE)
    }
  }

  /** Ends the thread after what it is at, and closes its handle. */
  async end(): Promise<void> {
    if (this.#worker === undefined || this.#hasFailed) return
    this.#worker.ref()
    const ended = once(this.#worker, 'exit')
    this.#tell(ENDING)
    await ended
  }

  #tell(state: number): void {
    Atomics.store(this.#state, 0, state)
    Atomics.notify(this.#state, 0)
  }

  #start(): Worker {
    const shared = this.#state.buffer as SharedArrayBuffer
    const workerData: CheckpointOrder = { file: this.#file, shared, due: DUE, done: DONE, ending: ENDING }
    const worker = new Worker(new URL('./checkpoint-thread.mjs', import.meta.url), {
      workerData,
      // Nothing of the server's is any of its business, secrets above all.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    })
    // Without it the writer makes checkpoints itself, as SQLite does by default; what is stored is stored either way.
    worker.on('error', () => {
      this.#hasFailed = true
      this.#tell(IDLE)
      if (this.#writer.open) this.#writer.pragma(`wal_autocheckpoint = ${DUE_FRAMES}`)
    })
    worker.unref()
    return worker
  }
}
