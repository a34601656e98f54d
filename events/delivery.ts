import { setImmediate } from 'node:timers/promises'
import { chunksOf } from '../domain/chunks.ts'
import type { LoggedEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import { AnswerEvents } from './answer-events.ts'
import type { Audiences } from './audience.ts'
import type { Queue } from './event-queue.ts'
import type { LogTail } from './log-tail.ts'
import { ParkedQueues } from './parked-queues.ts'
import type { VisibleEvents } from './visible-events.ts'

/** Parked polls answered in one turn of the event loop (docs/decisions, "Parked polls leave Koa"). */
const SLICE = 50

interface Sources {
  readonly tail: LogTail
  readonly audiences: Audiences
  readonly visible: VisibleEvents
  /** Answers the poll parked on a queue, and removes the queue from the parked ones. */
  answer(queue: Queue, found: AnswerEvents): void
}

/** Delivers new events to parked polls. The cost of an event depends on how many users it may concern. */
export class Delivery {
  readonly parked = new ParkedQueues()
  /** Whether `toAll` is running, which also delivers what arrives until it ends. */
  isUnderWay = false
  readonly #from: Sources
  /** Users with parked polls about whom the audiences may know nothing: any event may concern them. */
  readonly #unknown = new Set<UserId>()
  /** Up to this position, every parked poll has been answered or has nothing to see. */
  #seenByAll = 0

  constructor(sources: Sources) {
    this.#from = sources
  }

  /** Call it while nobody waits. Everything up to the head of the log counts as seen; later events are delivered. */
  begin(): void {
    this.#seenByAll = this.#from.tail.head
  }

  /** Like {@link begin}, but parked polls may not have seen everything up to the head. Not during `toAll`. */
  beginAgain(): void {
    const seen = this.parked.all().map(({ parked }) => parked?.scannedTo ?? this.#seenByAll)
    this.#seenByAll = seen.reduce((one, other) => Math.min(one, other), this.#seenByAll)
  }

  park(queue: Queue): void {
    this.parked.add(queue)
    if (!this.#from.audiences.isLoaded(queue.userId)) this.#unknown.add(queue.userId)
  }

  /** Records an event, in the order of the log. */
  follow(logged: LoggedEvent): void {
    for (const id of this.#from.audiences.follow(logged)) if (this.parked.of(id)) this.#unknown.add(id)
  }

  /**
   * Answers the parked polls that have something to see, until all have seen the head of the log. Must not run twice at
   * a time.
   */
  async toAll(): Promise<void> {
    this.isUnderWay = true
    try {
      while (this.#seenByAll < this.#from.tail.head) await this.#until(this.#from.tail.head)
    } finally {
      // In the same turn as the last look at the log, so that a later event starts again.
      this.isUnderWay = false
    }
  }

  async #until(position: number): Promise<void> {
    const { audiences } = this.#from
    const unknown = [...this.#unknown]
    // Polls parked from now on have seen everything up to `position`, and subscriptions change only after it.
    let waiting = this.#concernedUntil(position, unknown)
    while (waiting.length > 0) {
      await this.#toEachOf(waiting)
      waiting = waiting.filter((queue) => queue.parked && !this.hasSeen(queue, position))
    }
    // Done last, because after a failure everything above is done again.
    for (const id of unknown) if (audiences.isLoaded(id) || !this.parked.of(id)) this.#unknown.delete(id)
    this.#seenByAll = position
  }

  /** Answers the poll parked on `queue` if there is something to see. Only if its user is loaded. */
  to(queue: Queue): void {
    const { tail, audiences, visible, answer } = this.#from
    const { parked } = queue
    // The subscriptions may have changed since they were loaded; then they are loaded again.
    if (!parked || !audiences.isLoaded(queue.userId)) return
    const scannedTo = this.#scannedTo(parked)
    const found = new AnswerEvents()
    // The queue is so far behind that memory does not have everything. The client asks again and is served from the
    // table.
    const isReached = tail.reaches(scannedTo)
    if (isReached) parked.scannedTo = visible.collect(tail.since(scannedTo), queue, found) ?? tail.head
    if (!isReached || !found.isEmpty) answer(queue, found)
  }

  /** Whether the poll parked on `queue` has nothing to see up to `position`. */
  hasSeen({ parked }: Queue, position: number): boolean {
    return parked !== undefined && this.#scannedTo(parked) >= position
  }

  #scannedTo({ scannedTo }: NonNullable<Queue['parked']>): number {
    return Math.max(scannedTo, this.#seenByAll)
  }

  /** Returns the parked queues that an unseen event up to `to` may concern, and those of unknown users. */
  #concernedUntil(to: number, unknown: readonly UserId[]): Queue[] {
    const { tail, audiences } = this.#from
    let from = this.#seenByAll
    if (!tail.reaches(from)) return this.parked.all()
    const concerned = new Set(unknown.flatMap((id) => [...(this.parked.of(id) ?? [])]))
    while (from < to && concerned.size < this.parked.size) {
      const records = tail.since(from)
      this.parked.concernedBy(records, audiences, concerned)
      from = records.at(-1)?.id ?? to
    }
    return [...concerned]
  }

  /** Works in slices, so that others are served in between. */
  async #toEachOf(queues: readonly Queue[]): Promise<void> {
    const { audiences } = this.#from
    for (const slice of chunksOf(queues, SLICE)) {
      const unknown = slice.map((queue) => queue.userId).filter((id) => !audiences.isLoaded(id))
      if (unknown.length > 0) await audiences.load(unknown)
      for (const queue of slice) this.to(queue)
      if (slice.length === SLICE) await setImmediate()
    }
  }
}
