import type { Account, Values } from './account.ts'
import type { Exchange } from './http.ts'

// biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
export type Event = Readonly<Record<string, any>>

/** What waiting for an event has come to. */
export interface Waited {
  /** Undefined when none came in time. */
  readonly event: Event | undefined
  /** The answer that brought it, or the last one. */
  readonly exchange: Exchange
  /** Of each event that was seen, what it lacked: `message 7: type is "message", not "reaction"`. */
  readonly lacked: string
}

/** An event queue and how far it was read. It asks again as soon as it is answered; it never waits for time to pass. */
export class EventQueue {
  readonly id: string
  /** Answer of POST /register. */
  readonly registered: Exchange
  readonly #owner: Account
  #lastEventId: number
  #unread: Event[] = []

  private constructor(owner: Account, registered: Exchange) {
    this.#owner = owner
    this.registered = registered
    this.id = String(registered.body.queue_id)
    this.#lastEventId = Number(registered.body.last_event_id)
  }

  static async open(owner: Account, values: Values): Promise<EventQueue> {
    return new EventQueue(owner, await owner.must('register-queue', values))
  }

  /**
   * Waits for an event that has everything that `shape` has; earlier ones are read and passed over. One long poll
   * follows the other; the last one is cut off at the limit.
   */
  async until(shape: Values, limitMs = this.#owner.patienceMs): Promise<Waited> {
    const deadline = performance.now() + limitMs
    const lacked: string[] = []
    let exchange = this.registered
    for (;;) {
      for (let event = this.#unread.shift(); event !== undefined; event = this.#unread.shift()) {
        const lack = lackOf(event, shape)
        if (lack === undefined) return { event, exchange, lacked: '' }
        lacked.push(`${event.type} ${event.id}: ${lack}`)
      }
      const remainingMs = deadline - performance.now()
      const answer = remainingMs > 0 ? await this.#poll(remainingMs) : undefined
      if (answer === undefined) return { event: undefined, exchange, lacked: lacked.join('; ') || 'no event came' }
      exchange = answer
    }
  }

  /** Undefined when the answer did not come in time. */
  async #poll(limitMs: number): Promise<Exchange | undefined> {
    const asked = this.#owner.must('get-events', { queue_id: this.id, last_event_id: this.#lastEventId })
    const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), limitMs)
    try {
      const exchange = await Promise.race([asked, tooLate])
      if (exchange === undefined) {
        await this.close() // which ends the request that still waits
        await asked.catch(() => undefined)
        return undefined
      }
      this.#unread = [...exchange.body.events]
      this.#lastEventId = this.#unread.at(-1)?.id ?? this.#lastEventId
      return exchange
    } finally {
      clearTimeout(timer)
    }
  }

  /** What is in the queue now. */
  peek(lastEventId: number): Promise<Exchange> {
    return this.#owner.must('get-events', { queue_id: this.id, last_event_id: lastEventId, dont_block: true })
  }

  async close(): Promise<void> {
    await this.#owner.call('delete-queue', { queue_id: this.id })
  }
}

/** The first thing in which `event` is not like `shape`; undefined when it has it all. */
function lackOf(event: Event, shape: Values): string | undefined {
  for (const [name, wanted] of Object.entries(shape)) {
    const has = JSON.stringify(event[name])
    if (has !== JSON.stringify(wanted)) return `${name} is ${has ?? 'absent'}, not ${JSON.stringify(wanted)}`
  }
  return undefined
}
