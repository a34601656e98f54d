import type { Allowance } from '../domain/allowance.ts'
import type { Clock } from '../domain/clock.ts'
import { FairQueue } from '../domain/fair-queue.ts'
import type { Piece, PieceHtml } from '../domain/markdown/pieces.ts'
import { PieceThread, type TimeLimit } from './piece-thread.ts'

/** Messages that may wait, and for how long: beyond, their formulas and code stay as they were written. */
const MAX_WAITING = 1000
const MAX_WAIT_MS = 10_000

const TIME_LIMIT: TimeLimit = { beginMs: 300, endMs: 500, idleMs: 30_000 }

interface Waiting {
  readonly pieces: readonly Piece[]
  readonly allowance: Allowance | undefined
  readonly since: number
  resolve(htmls: readonly PieceHtml[]): void
  reject(err: unknown): void
}

/**
 * Sets formulas and colours code outside of the event loop, for one account after the other. What takes too long, or has
 * waited for too long, has no HTML, and is shown as it was written.
 */
export class PieceRenderer {
  readonly #queue = new FairQueue<Waiting>(MAX_WAITING)
  readonly #thread: PieceThread
  readonly #clock: Clock
  readonly #onError: (err: unknown) => void
  #isWorking = false
  #isStopped = false

  /** @param onError told of what no piece may cause */
  constructor(clock: Clock, onError: (err: unknown) => void, limit: Partial<TimeLimit> = {}) {
    this.#clock = clock
    this.#onError = onError
    this.#thread = new PieceThread({ ...TIME_LIMIT, ...limit })
  }

  /** Whether there is a thread: from the first pieces on, until none have come for a while. */
  get isRunning(): boolean {
    return this.#thread.isRunning
  }

  /**
   * HTML of `pieces` in their order. Fails only with what `allowance.check` throws.
   * @param account whose turn it takes
   * @param allowance absent where nothing limits it
   */
  render(account: number, pieces: readonly Piece[], allowance?: Allowance): Promise<readonly PieceHtml[]> {
    return new Promise((resolve, reject) => {
      const since = this.#clock.monotonic()
      if (this.#isStopped) return resolve(pieces.map(() => undefined))
      showSource(this.#queue.add(account, { pieces, allowance, since, resolve, reject }))
      if (!this.#isWorking) void this.#work()
    })
  }

  /** Ends the thread; what waits has no HTML. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (let waiting = this.#queue.take(); waiting !== undefined; waiting = this.#queue.take()) showSource(waiting)
    await this.#thread.stop()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let waiting = this.#queue.take(); waiting !== undefined; waiting = this.#queue.take()) {
      await this.#serve(waiting)
    }
    this.#isWorking = false
  }

  async #serve(waiting: Waiting): Promise<void> {
    const { pieces, allowance, since } = waiting
    try {
      allowance?.check()
    } catch (err) {
      waiting.reject(err)
      return
    }
    if (this.#clock.monotonic() - since > MAX_WAIT_MS) return showSource(waiting)
    const { htmls, ms, errors } = await this.#thread.run(pieces)
    if (!this.#isStopped) for (const err of errors) this.#onError(err)
    allowance?.spend(ms)
    if (htmls === undefined) showSource(waiting)
    else waiting.resolve(htmls)
  }
}

function showSource(waiting: Waiting | undefined): void {
  waiting?.resolve(waiting.pieces.map(() => undefined))
}
