import { BadRequestError } from '../domain/errors.ts'
import { loopTurns, type Worker } from './loop-turns.ts'

/** After this many milliseconds others get their turn. */
const WITHOUT_PAUSE_MS = 5

export interface PausedWork {
  /** Whose work it is; the server's own when absent. */
  readonly worker?: Worker
  /** Asked after each pause: whether nobody waits for the result any more. */
  readonly hasLeft?: () => boolean
}

/** Items that are looked at without a look at the clock. */
const MAPPED_TOGETHER = 100

/**
 * The pauses in work of many pieces, one object for all of it however deep it is: SQLite answers without giving the
 * event loop back, so others have to be served between the pieces, and each account gets one piece in a turn of the
 * loop. What is committed meanwhile is seen by the pieces that follow.
 */
export class Pauses {
  readonly #work: PausedWork
  #since = performance.now()

  constructor(work: PausedWork = {}) {
    this.#work = work
  }

  /**
   * To be called after each piece.
   * @throws {BadRequestError} when `hasLeft` says so; nobody reads it
   */
  async letOthers(): Promise<void> {
    if (performance.now() - this.#since < WITHOUT_PAUSE_MS) return
    await loopTurns.next(this.#work.worker)
    if (this.#work.hasLeft?.()) throw new BadRequestError('The connection was closed before the answer was found')
    this.#since = performance.now()
  }

  /** `list.map(each)`, with pauses. */
  async map<Item, Result>(list: readonly Item[], each: (item: Item, index: number) => Result): Promise<Result[]> {
    const results: Result[] = []
    for (const item of list) {
      results.push(each(item, results.length))
      if (results.length % MAPPED_TOGETHER === 0) await this.letOthers()
    }
    return results
  }
}
