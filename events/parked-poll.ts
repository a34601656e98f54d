/**
 * An answer that comes later. The handler returns it, and the server takes the request out of Koa until then: a parked
 * request held by bare node:http costs 26 KiB, by Koa 36 KiB (CONTRIBUTING, "Parked polls leave Koa").
 */
export class ParkedPoll {
  #fields: string | undefined
  #listener: ((fields: string) => void) | undefined
  #isOver = false
  readonly #onAbandoned: () => void

  /** @param onAbandoned called once when the client goes away before the answer */
  constructor(onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Calls `listener` with the answer's fields as JSON without braces, at once if the answer is there already. */
  whenAnswered(listener: (fields: string) => void): void {
    if (this.#fields !== undefined) listener(this.#fields)
    else this.#listener = listener
  }

  answer(fields: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#fields = fields
    this.#listener?.(fields)
  }

  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onAbandoned()
  }
}

/** Fields of an answer that are JSON already, without braces: `"events":[…],"queue_id":"…"`. */
export class JsonFields {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}
