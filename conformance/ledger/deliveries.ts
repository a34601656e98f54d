import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import { type QueueRecord, queueOf, tellsOf } from './queues.ts'
import type { Span } from './register.ts'
import { tellingsOf } from './tellings.ts'
import type { List, Thing } from './things.ts'

/** A message that was sent, or a thing that has certainly changed, and who must get an event. */
interface News extends Span {
  /** Type of its events. */
  readonly type: string
  /** Name of the changed thing, or the message's id. */
  readonly key: string | number
  /** Whether this user must get the event, as known at that time. */
  readonly isFor: (userId: number) => boolean
}

export interface Lost {
  readonly exchange: Exchange
  readonly queue: QueueRecord
  readonly type: string
  readonly key: string | number
  /** The message whose event came although it was sent later. */
  readonly later: number
}

const mostNews = 50_000

/**
 * Checks the order in every event queue of a run: when the event of one message has come, events of everything before
 * it must have come too. It never waits: a queue is checked up to the last message it has told.
 */
export class Deliveries {
  readonly #queues = new Map<string, QueueRecord>()
  readonly #sent = new Map<number, News>()
  readonly #changes: News[] = []
  readonly #members: (list: List) => Iterable<string>
  /** Number of events found where they had to be. */
  held = 0

  constructor(members: (list: List) => Iterable<string>) {
    this.#members = members
  }

  noteMessage(id: number, span: Span, isFor: News['isFor']): void {
    if (this.#sent.size < mostNews) this.#sent.set(id, { ...spanOf(span), type: 'message', key: id, isFor })
  }

  noteChange(type: string, thing: Thing, value: unknown, span: Span, isFor: News['isFor']): void {
    if (this.#changes.length < mostNews) this.#changes.push({ ...spanOf(span), type, key: told(thing, value), isFor })
  }

  noteQueue(exchange: Exchange, values: ReadonlyMap<string, Json>, owner: number): void {
    const queue = queueOf(exchange, values, owner)
    if (queue !== undefined) this.#queues.set(queue.id, queue)
  }

  /** @param hear called once for each thing that an event tells */
  noteEvents(exchange: Exchange, values: ReadonlyMap<string, Json>, hear: (thing: Thing, value: unknown) => void) {
    const queue = this.#queues.get(String(values.get('queue_id')))
    const { events } = exchange.body ?? {}
    if (queue === undefined || !Array.isArray(events)) return
    const from = values.get('last_event_id')
    const newest = Math.max(Number(queue.registered.body.last_event_id), ...queue.seen)
    if (typeof from === 'number' && from > newest) queue.isSkipped = true
    for (const event of events) {
      if (queue.seen.has(event.id)) continue // not acknowledged, so it comes again
      queue.seen.add(event.id)
      if (event.type === 'message') queue.messages.add(event.message?.id)
      for (const [thing, value] of tellingsOf(event, queue.owner, this.#members)) {
        hear(thing, value)
        queue.told.set(told(thing, value), (queue.told.get(told(thing, value)) ?? 0) + 1)
      }
    }
    if (events.length > 0) queue.last = exchange
  }

  lost(): Lost[] {
    return [...this.#queues.values()].flatMap((queue) => this.#lostIn(queue))
  }

  #lostIn(queue: QueueRecord): Lost[] {
    if (queue.isSkipped) return []
    const later = [...queue.messages]
      .flatMap((id) => this.#sent.get(id) ?? [])
      .reduce<News | undefined>((last, one) => (last === undefined || one.sentAt > last.sentAt ? one : last), undefined)
    if (later === undefined) return []
    const isDue = ({ type, sentAt, answeredAt, isFor }: News): boolean =>
      tellsOf(queue, type) && sentAt >= queue.registered.answeredAt && answeredAt <= later.sentAt && isFor(queue.owner)
    const messages = [...this.#sent.values()].filter(isDue).filter(({ key }) => !queue.messages.has(Number(key)))
    const due = new Map<string, News[]>()
    for (const one of this.#changes.filter(isDue)) {
      const key = String(one.key)
      due.set(key, [...(due.get(key) ?? []), one])
    }
    const changes = [...due].flatMap(([key, [one, ...more]]) =>
      one !== undefined && (queue.told.get(key) ?? 0) <= more.length ? [one] : [],
    )
    this.held += due.size + queue.messages.size
    return [...messages, ...changes].map(({ type, key }) => ({
      ...{ exchange: queue.last, queue, type, key, later: Number(later.key) },
    }))
  }
}

function told({ name }: Thing, value: unknown): string {
  return `${name} = ${JSON.stringify(value)}`
}

function spanOf({ sentAt, answeredAt }: Span): Span {
  return { sentAt, answeredAt }
}
