import { type Allowance, UNLIMITED } from '../domain/allowance.ts'
import type { Clock } from '../domain/clock.ts'
import type { Piece, PieceHtml } from '../domain/markdown/pieces.ts'
import { FairQueue } from '../event-loop/fair-queue.ts'
import { PieceThread, type TimeLimit } from './piece-thread.ts'

/**
 * Maximum number of waiting messages, and their maximum wait. Beyond these limits, formulas and code are shown as plain
 * source.
 */
const MAX_WAITING = 1000
const MAX_WAIT_MS = 10_000

const TIME_LIMIT: TimeLimit = { beginMs: 300, endMs: 500, idleMs: 30_000 }

interface Waiting {
  readonly pieces: readonly Piece[]
  readonly allowance: Allowance
  readonly since: number
  resolve(htmls: readonly PieceHtml[]): void
  reject(err: unknown): void
}

/**
 * Renders formulas and highlights code outside the event loop, one account after the other. A piece that takes or waits
 * too long has no HTML and is shown as its source.
 */
export class PieceRenderer {
  readonly #queue = new FairQueue<Waiting>(MAX_WAITING)
  readonly #thread: PieceThread
  readonly #clock: Clock
  readonly #onError: (err: unknown) => void
  #isWorking = false
  #isStopped = false

  /** @param onError is called with errors that no piece should cause */
  constructor(clock: Clock, onError: (err: unknown) => void, limit: Partial<TimeLimit> = {}) {
    this.#clock = clock
    this.#onError = onError
    this.#thread = new PieceThread({ ...TIME_LIMIT, ...limit })
  }

  /** Whether the thread is running. It runs from the first piece until no piece has arrived for a while. */
  get isRunning(): boolean {
    return this.#thread.isRunning
  }

  /**
   * HTML of `pieces`, in order. Fails only with errors of `allowance.check`.
   *
   * @param account whose turn is used
   */
  render(account: number, pieces: readonly Piece[], allowance = UNLIMITED): Promise<readonly PieceHtml[]> {
    return new Promise((resolve, reject) => {
      const since = this.#clock.monotonic()
      if (this.#isStopped) return resolve(pieces.map(() => undefined))
      showSource(this.#queue.add(account, { pieces, allowance, since, resolve, reject }))
      if (!this.#isWorking) void this.#work()
    })
  }

  /** Ends the thread; waiting pieces get no HTML. */
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
      allowance.check()
    } catch (err) {
      waiting.reject(err)
      return
    }
    if (this.#clock.monotonic() - since > MAX_WAIT_MS) return showSource(waiting)
    const { htmls, ms, errors } = await this.#thread.run(pieces)
    if (!this.#isStopped) for (const err of errors) this.#onError(err)
    allowance.spend(ms)
    if (htmls === undefined) showSource(waiting)
    else waiting.resolve(htmls)
  }
}

function showSource(waiting: Waiting | undefined): void {
  waiting?.resolve(waiting.pieces.map(() => undefined))
}
