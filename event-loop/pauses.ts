import { BadRequestError } from '../domain/errors.ts'
import { loopTurns, type Party } from './loop-turns.ts'

/** After this many milliseconds others get a turn. */
const WITHOUT_PAUSE_MS = 5

export interface PausedWork {
  /** The party that the work is for; absent for the server itself. */
  readonly party?: Party | undefined
  /** Called after each pause. Returns whether nobody waits for the result any more. */
  readonly hasLeft?: () => boolean
}

/** Number of items that are handled between two looks at the clock. */
const MAPPED_TOGETHER = 100

/**
 * Makes pauses in long work. One object serves all of the work, however deeply nested. SQLite answers without yielding
 * the event loop, so others must be served between the pieces, and each account gets one piece in a turn of the loop.
 * Later pieces see data that is committed meanwhile.
 */
export class Pauses {
  readonly #work: PausedWork
  #since = performance.now()

  constructor(work: PausedWork = {}) {
    this.#work = work
  }

  get hasLeft(): boolean {
    return this.#work.hasLeft?.() ?? false
  }

  /**
   * Call it after each piece.
   *
   * @throws {BadRequestError} if `hasLeft` returns true; nobody reads the error
   */
  async letOthers(): Promise<void> {
    if (performance.now() - this.#since < WITHOUT_PAUSE_MS) return
    await loopTurns.next(this.#work.party)
    if (this.hasLeft) throw new BadRequestError('The connection was closed before the answer was found')
    this.#since = performance.now()
  }

  /** Same as `list.map(each)`, with pauses. */
  async map<Item, Result>(list: readonly Item[], each: (item: Item, index: number) => Result): Promise<Result[]> {
    const results: Result[] = []
    for (const item of list) {
      results.push(each(item, results.length))
      if (results.length % MAPPED_TOGETHER === 0) await this.letOthers()
    }
    return results
  }
}
