import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'

/** Number of pages in the write-ahead log from which on a checkpoint is made: SQLite's own default. */
const DUE_FRAMES = 1000
/** Beyond this many pages writers wait for the thread, which cannot keep up. */
const LONG_FRAMES = 4000
/** If readers kept the log from being restarted, it is tried again after this many more pages. */
const AGAIN_FRAMES = 100
/** Time for which the writer makes checkpoints itself after the thread has failed. */
const WITHOUT_THREAD_MS = 60_000

/** States of the thread: idle, checkpoint requested, ending. */
const [IDLE, DUE, ENDING] = [0, 1, 2]

/** Start parameters of the thread. */
export interface CheckpointOrder {
  /** The database file. */
  readonly file: string
  /** One 32-bit integer, the state. */
  readonly shared: SharedArrayBuffer
  readonly idle: number
  readonly due: number
  readonly ending: number
}

/**
 * Makes the checkpoints of one database file in a thread (SEC-LOOP-7). Checkpoints wait for the disk, for hundreds of
 * milliseconds if it is slow or busy; SQLite makes them as part of a commit, and then everybody would wait. Writers
 * wait only for the few pages that were written meanwhile. Without this wait, a log under constant writes would never
 * restart. The thread starts with the first checkpoint.
 */
export class Checkpoints {
  readonly #file: string
  readonly #writer: Sqlite.Database
  readonly #state = new Int32Array(new SharedArrayBuffer(4))
  readonly #look: Sqlite.Statement
  #worker: Worker | undefined
  /** Whether writers wait for the present checkpoint. */
  #isAwaited = false
  /** Whether the present checkpoint is for pages written during the one before. */
  #isLast = false
  /** Length of the log at which a restart is tried again. */
  #again = 0
  /** Until when there is no thread, in terms of `performance.now()`. */
  #withoutUntil = 0
  #ended: Promise<void> | undefined

  /** @param writer handle of the connection that commits */
  constructor(file: string, writer: Sqlite.Database) {
    this.#file = file
    this.#writer = writer
    writer.pragma('wal_autocheckpoint = 0')
    // NOOP, which changes nothing, exists from SQLite 3.51 on.
    this.#look = writer.prepare('pragma wal_checkpoint(NOOP)')
  }

  /**
   * Call it before each transaction: returns undefined, or a promise of the end of a checkpoint to wait for.
   *
   * @param isAlone whether no checkpoint may be running
   */
  room(isAlone = false): Promise<unknown> | undefined {
    if (!(this.#isAwaited || isAlone) || Atomics.load(this.#state, 0) !== DUE) return undefined
    const { async: isWaiting, value } = Atomics.waitAsync(this.#state, 0, DUE)
    if (!isWaiting) return undefined
    // The thread may be all that keeps the process alive.
    this.#worker?.ref()
    return value.finally(() => {
      if (this.#ended === undefined) this.#worker?.unref()
    })
  }

  /** Call it after each commit while nobody reads; takes a few microseconds. If it fails, the commit is still done. */
  onCommit(): void {
    if (this.#ended !== undefined) return
    try {
      if (this.#withoutUntil > 0) this.#tryThreadAgain()
      if (this.#withoutUntil === 0) this.#order()
    } catch (err) {
      this.#fail(err)
    }
  }

  /** Ends the thread after the present checkpoint, and closes its handle. */
  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  #order(): void {
    const { log, checkpointed } = this.#look.get() as { log: number; checkpointed: number }
    const frames = log - checkpointed
    if (Atomics.load(this.#state, 0) === DUE) {
      this.#isAwaited = this.#isLast || frames >= LONG_FRAMES
      return
    }
    // Short, or restarted.
    if (log < DUE_FRAMES) return
    const isLast = frames < DUE_FRAMES
    if (isLast && log < this.#again) return
    this.#again = isLast ? log + AGAIN_FRAMES : 0
    this.#isLast = isLast
    this.#isAwaited = isLast
    this.#worker ??= this.#start()
    this.#tell(DUE)
  }

  #tell(state: number): void {
    Atomics.store(this.#state, 0, state)
    Atomics.notify(this.#state, 0)
  }

  #start(): Worker {
    const shared = this.#state.buffer as SharedArrayBuffer
    const workerData: CheckpointOrder = { file: this.#file, shared, idle: IDLE, due: DUE, ending: ENDING }
    const worker = new Worker(new URL('./checkpoint-thread.mjs', import.meta.url), {
      workerData,
      // The thread needs none of the server's environment, above all no secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    })
    const onEnd = (err: unknown): void => {
      if (this.#ended === undefined && this.#worker === worker) this.#fail(err)
    }
    worker.on('error', onEnd).on('exit', () => onEnd(new Error('the thread has ended')))
    worker.unref()
    return worker
  }

  /** Lets the writer make checkpoints for a while, as SQLite does by default; the data is stored either way. */
  #fail(err: unknown): void {
    void this.#worker?.terminate()
    this.#worker = undefined
    this.#withoutUntil = performance.now() + WITHOUT_THREAD_MS
    this.#tell(IDLE)
    if (this.#writer.open) this.#writer.pragma(`wal_autocheckpoint = ${DUE_FRAMES}`)
    process.emitWarning(`checkpoints of ${this.#file} are made on the event loop for a minute: ${err}`)
  }

  #tryThreadAgain(): void {
    if (performance.now() < this.#withoutUntil) return
    this.#withoutUntil = 0
    this.#writer.pragma('wal_autocheckpoint = 0')
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    const exit = new Promise((resolve) => worker.once('exit', resolve))
    worker.ref()
    this.#tell(ENDING)
    await exit
  }
}
