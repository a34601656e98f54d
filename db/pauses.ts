import { setImmediate } from 'node:timers/promises'
import { BadRequestError } from '../domain/errors.ts'

/** After so many milliseconds others get their turn. */
const WITHOUT_PAUSE_MS = 10

/**
 * The pauses in work of many pieces, one for all of it however deep it is: SQLite answers without giving the event loop
 * back, so between the pieces others have to be served. What they commit meanwhile is seen by the pieces that follow.
 */
export class Pauses {
  readonly #hasLeft: (() => boolean) | undefined
  #since = performance.now()

  /** @param hasLeft asked after each pause: whether nobody waits for the result any more */
  constructor(hasLeft?: () => boolean) {
    this.#hasLeft = hasLeft
  }

  /**
   * To be called after each piece.
   * @throws {BadRequestError} which nobody reads, when `hasLeft` says so
   */
  async letOthers(): Promise<void> {
    if (performance.now() - this.#since < WITHOUT_PAUSE_MS) return
    await setImmediate()
    if (this.#hasLeft?.()) throw new BadRequestError('The connection was closed before the answer was found')
    this.#since = performance.now()
  }
}
