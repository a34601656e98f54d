import { FairQueue } from '../domain/fair-queue.ts'

/**
 * Work that blocks the event loop for milliseconds runs one piece at a time, account after account, with other requests
 * between.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>(Number.POSITIVE_INFINITY)

  /** Resolves when it is the account's turn, for synchronous work. */
  next(account: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#turn())
      this.#waiting.add(account, resolve)
    })
  }

  #turn(): void {
    this.#waiting.take()?.()
    if (this.#waiting.size > 0) setImmediate(() => this.#turn())
  }
}
