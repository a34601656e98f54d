import type { ApiError } from '../domain/errors.ts'

/** Fields of a success as JSON without braces, or a refusal. */
export type PollOutcome = string | ApiError

/**
 * An answer that comes later. The handler returns it, and the server takes the request out of Koa until then: a parked
 * request held by bare node:http costs 26 KiB, by Koa 36 KiB (docs/decisions, "Parked polls leave Koa").
 */
export class ParkedPoll {
  #outcome: PollOutcome | undefined
  #listener: ((outcome: PollOutcome) => void) | undefined
  #isOver = false
  readonly #onAbandoned: () => void

  /** @param onAbandoned called once if the client disconnects before the answer */
  constructor(onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Calls `listener` at once if the answer is there already. */
  whenAnswered(listener: (outcome: PollOutcome) => void): void {
    if (this.#outcome !== undefined) listener(this.#outcome)
    else this.#listener = listener
  }

  answer(outcome: PollOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#outcome = outcome
    this.#listener?.(outcome)
  }

  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onAbandoned()
  }
}
