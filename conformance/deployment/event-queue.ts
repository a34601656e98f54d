import type { Exchange } from '../wire/http.ts'
import { canonical, isObject } from '../wire/values.ts'
import { type Account, succeeded, type Values } from './account.ts'

// biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
export type Event = Readonly<Record<string, any>>

/** The result of waiting for an event. */
export interface Waited {
  /** Undefined if none came in time. */
  readonly event: Event | undefined
  /** All events read while waiting, in order; the wanted one is the last. */
  readonly events: readonly Event[]
  /** The answer that brought the event, or else the last answer; without any event, {@link EventQueue.inVain}. */
  readonly exchange: Exchange
  /** For each event read, the first difference: `message 7: type is "message", not "reaction"`. */
  readonly lacked: string
}

/**
 * Each answer uses up at least this part of the time limit, so that a server that always answers at once with nothing
 * is not polled forever.
 */
const leastPart = 1 / 1000

/**
 * An event queue and how far it was read. It polls again as soon as it gets an answer, and never waits for time to
 * pass.
 */
export class EventQueue {
  readonly id: string
  /** Answer of POST /register, or of a request for events that named no queue. */
  readonly registered: Exchange
  readonly #owner: Account
  #lastEventId: number
  #unread: Event[] = []
  /** The answer that brought the unread events. */
  #latest: Exchange
  /** The poll that was waiting at the limit. */
  #cutOff: Exchange | undefined

  /** @param registered answer that names the queue */
  constructor(owner: Account, registered: Exchange) {
    this.#owner = owner
    this.registered = registered
    this.#latest = registered
    this.id = String(registered.body.queue_id)
    this.#lastEventId = Number(registered.body.last_event_id ?? -1)
  }

  /** The answer to the poll that waited in vain and ended with the queue, or else that of POST /register. */
  get inVain(): Exchange {
    return this.#cutOff ?? this.registered
  }

  static async open(owner: Account, values: Values): Promise<EventQueue> {
    return new EventQueue(owner, await owner.must('register-queue', values))
  }

  /**
   * Waits for an event that has all fields of `wanted`, or for which it returns true; earlier events are read and
   * skipped. One long poll follows another; the last one is cut off at the limit by deleting the queue. Only the
   * server's time counts, not the time that the suite waits for rate limits.
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

  /**
   * Sends one long poll; its events count as read. Undefined if the server keeps it longer than `limitMs`; then the
   * queue is deleted.
   */
  async poll(limitMs: number): Promise<Exchange | undefined> {
    if (limitMs <= 0) {
      await this.close()
      return undefined
    }
    const values = { queue_id: this.id, last_event_id: this.#lastEventId }
    const { answer, inTime } = this.#owner.wait('get-events', values, limitMs)
    const exchange = await inTime
    if (exchange === undefined) {
      await this.close() // which ends the waiting poll
      this.#cutOff = await answer.catch(() => undefined)
      return undefined
    }
    succeeded('get-events', exchange)
    this.#lastEventId = exchange.body.events.at(-1)?.id ?? this.#lastEventId
    return exchange
  }

  /** The current contents of the queue. */
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
 * The first difference between `event` and `shape`; undefined if the event has everything. Its objects may have more
 * fields.
 */
export function lackOf(event: Event, shape: Values, within = ''): string | undefined {
  for (const [name, wanted] of Object.entries(shape)) {
    const has: unknown = event[name]
    if (isObject(wanted) && isObject(has)) {
      const lack = lackOf(has, wanted, `${within}${name}.`)
      if (lack !== undefined) return lack
      continue
    }
    const text = canonical(has)
    if (text !== canonical(wanted)) {
      return `${within}${name} is ${text}, not ${canonical(wanted)}`
    }
  }
  return undefined
}
