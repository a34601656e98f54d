import type { Exchange } from '../wire/http.ts'
import { isObject } from '../wire/values.ts'
import { type Account, succeeded, type Values } from './account.ts'

// biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
export type Event = Readonly<Record<string, any>>

/** What waiting for an event has come to. */
export interface Waited {
  /** Undefined when none came in time. */
  readonly event: Event | undefined
  /** Everything that was read while waiting, in its order; the event itself comes last. */
  readonly events: readonly Event[]
  /** The answer that brought it, or the last one: where none came, of the request that waited in vain. */
  readonly exchange: Exchange
  /** Of each event that was seen, what it lacked: `message 7: type is "message", not "reaction"`. */
  readonly lacked: string
}

/** The least part of a limit that an answer counts for: whoever answers at once, with nothing, is not asked for ever. */
const leastPart = 1 / 1000

/** An event queue and how far it was read. It asks again as soon as it is answered; it never waits for time to pass. */
export class EventQueue {
  readonly id: string
  /** Answer of POST /register. */
  readonly registered: Exchange
  readonly #owner: Account
  #lastEventId: number
  #unread: Event[] = []
  /** What has brought those that are unread. */
  #latest: Exchange
  /** Of the request that was waiting when patience ran out. */
  #cutOff: Exchange | undefined

  private constructor(owner: Account, registered: Exchange) {
    this.#owner = owner
    this.registered = registered
    this.#latest = registered
    this.id = String(registered.body.queue_id)
    this.#lastEventId = Number(registered.body.last_event_id)
  }

  /** The answer to the request that waited in vain, and was ended with the queue; POST /register's where there was none. */
  get inVain(): Exchange {
    return this.#cutOff ?? this.registered
  }

  static async open(owner: Account, values: Values): Promise<EventQueue> {
    return new EventQueue(owner, await owner.must('register-queue', values))
  }

  /**
   * Waits for an event that has everything that `wanted` has, or for which it is true; earlier ones are read and passed
   * over. One long poll follows another; the last one is cut off at the limit, and then the queue is closed. Only what the
   * server keeps the requests counts: an event is no later because its reader has to keep to rate limits.
   */
  async until(wanted: Values | ((event: Event) => boolean), limitMs = this.#owner.patienceMs): Promise<Waited> {
    let leftMs = limitMs
    const events: Event[] = []
    const lacked: string[] = []
    for (;;) {
      for (let event = this.#unread.shift(); event !== undefined; event = this.#unread.shift()) {
        events.push(event)
        const lack = typeof wanted === 'function' ? unlike(event, wanted) : lackOf(event, wanted)
        if (lack === undefined) return { event, events, exchange: this.#latest, lacked: '' }
        lacked.push(`${event.type} ${event.id}: ${lack}`)
      }
      const answer = await this.poll(leftMs)
      if (answer === undefined) {
        const last = events.length > 0 ? this.#latest : this.inVain
        return { event: undefined, events, exchange: last, lacked: lacked.join('; ') || 'no event came' }
      }
      leftMs -= Math.max(answer.answeredAt - answer.sentAt, limitMs * leastPart)
      this.#unread = [...answer.body.events]
      this.#latest = answer
    }
  }

  /** One request that may wait; what it brings counts as read. Undefined, and the queue is closed, when the server keeps it longer than `limitMs`. */
  async poll(limitMs: number): Promise<Exchange | undefined> {
    if (limitMs <= 0) {
      await this.close()
      return undefined
    }
    const values = { queue_id: this.id, last_event_id: this.#lastEventId }
    const { answer, inTime } = this.#owner.wait('get-events', values, limitMs)
    const exchange = await inTime
    if (exchange === undefined) {
      await this.close() // which ends the request that still waits
      this.#cutOff = await answer.catch(() => undefined)
      return undefined
    }
    succeeded('get-events', exchange)
    this.#lastEventId = exchange.body.events.at(-1)?.id ?? this.#lastEventId
    return exchange
  }

  /** What is in the queue now. */
  peek(lastEventId: number): Promise<Exchange> {
    return this.#owner.must('get-events', { queue_id: this.id, last_event_id: lastEventId, dont_block: true })
  }

  async close(): Promise<void> {
    await this.#owner.call('delete-queue', { queue_id: this.id })
  }
}

function unlike(event: Event, isWanted: (event: Event) => boolean): string | undefined {
  return isWanted(event) ? undefined : `is ${JSON.stringify(event).slice(0, 200)}`
}

/**
 * The first thing in which `event` is not like `shape`; undefined when it has everything. Objects in it may have more
 * than they have in `shape`.
 */
function lackOf(event: Event, shape: Values, within = ''): string | undefined {
  for (const [name, wanted] of Object.entries(shape)) {
    const has: unknown = event[name]
    if (isObject(wanted) && isObject(has)) {
      const lack = lackOf(has, wanted, `${within}${name}.`)
      if (lack !== undefined) return lack
      continue
    }
    const text = JSON.stringify(has)
    if (text !== JSON.stringify(wanted)) {
      return `${within}${name} is ${text ?? 'absent'}, not ${JSON.stringify(wanted)}`
    }
  }
  return undefined
}
