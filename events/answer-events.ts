/** Limits of one answer; the client acknowledges it and asks for the rest. */
const MAX_EVENTS = 1000
const MAX_CHARACTERS = 1_000_000

/** Collects the events of one answer to GET /events as JSON, until it is full. */
export class AnswerEvents {
  readonly #events: string[] = []
  #characters = 0

  constructor(...events: readonly string[]) {
    for (const json of events) this.add(json)
  }

  add(json: string): void {
    this.#events.push(json)
    this.#characters += json.length
  }

  get isEmpty(): boolean {
    return this.#events.length === 0
  }

  get isFull(): boolean {
    return this.#events.length >= MAX_EVENTS || this.#characters >= MAX_CHARACTERS
  }

  /** Returns the fields of the answer, without braces. @param queueId a UUID, which needs no escaping */
  fields(queueId: string): string {
    return `"events":[${this.#events.join(',')}],"queue_id":"${queueId}"`
  }
}
