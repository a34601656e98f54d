import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { doNamed } from '../db/named-work.ts'
import { chunksOf } from '../domain/chunks.ts'
import { type Clock, unixSeconds, unixSecondsOf } from '../domain/clock.ts'
import { BadEventQueueIdError, BadRequestError, InvalidApiKeyError, UserDeactivatedError } from '../domain/errors.ts'
import type { ApiKeyLogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { RealmDeactivatedError } from '../domain/organization/realm-deactivated.ts'
import type { Write } from '../permissions/write.ts'
import { heartbeatJson } from './adapt.ts'
import { AnswerEvents } from './answer-events.ts'
import { Audiences } from './audience.ts'
import { Delivery } from './delivery.ts'
import { deactivatedBy, type Poller, type Queue, type Viewer } from './event-queue.ts'
import { KnownQueues } from './known-queues.ts'
import { LogTail } from './log-tail.ts'
import { JsonFields, ParkedPoll } from './parked-poll.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'
import { Ticks } from './ticks.ts'
import { type QueueSite, VisibleEvents } from './visible-events.ts'

export interface HeartbeatTiming {
  /** Seconds a poll waits at least before it is answered with a heartbeat. */
  readonly baseSeconds: number
  /** Up to so many more, at random, so that clients do not come back all at once. */
  readonly spreadSeconds: number
}

/** Who makes and frees a queue. */
export interface QueueOwner {
  readonly viewer: Viewer
  readonly write: Write
}

/** Heartbeats sent in one turn of the event loop (docs/decisions, "Parked polls leave Koa"). */
const SLICE = 50
/** Everybody's writes wait behind a transaction, so it holds no more queues than these. */
const QUEUES_A_TRANSACTION = 1000
/** After a fault, the waiting polls are looked at again. */
const RETRY_MS = 1000

/** The event queues of this process: cursors over the log, and the polls that wait on them. */
export class EventQueues {
  readonly #db: Database
  readonly #clock: Clock
  readonly #timing: HeartbeatTiming
  readonly #tail: LogTail
  readonly #audiences: Audiences
  readonly #visible: VisibleEvents
  readonly #ticks: Ticks
  readonly #queues = new KnownQueues()
  /** Queues that are being made, and whose they will be. */
  readonly #opening = new Map<string, UserId>()
  readonly #delivery: Delivery
  /** Which key counts of accounts that were given another one since the start. */
  readonly #keyVersions = new Map<UserId, number>()
  #delivered: Promise<void> = Promise.resolve()
  #onError: (err: unknown) => void = () => undefined
  #timer: NodeJS.Timeout | undefined
  #isBeating = false
  #isStopped = false
  #isHeld = false

  constructor(db: Database, clock: Clock, timing: HeartbeatTiming, site: QueueSite) {
    this.#db = db
    this.#clock = clock
    this.#timing = timing
    this.#tail = new LogTail(db)
    this.#audiences = new Audiences(db)
    this.#visible = new VisibleEvents(this.#audiences, site, (id) => this.#tail.reaches(id - 1))
    this.#ticks = new Ticks(db, clock)
    const answer = (queue: Queue, found: AnswerEvents): void => this.#answer(queue, found)
    this.#delivery = new Delivery({ tail: this.#tail, audiences: this.#audiences, visible: this.#visible, answer })
  }

  /** Takes up the queues that the last process left, and follows the log from here on. */
  async start(onError: (err: unknown) => void): Promise<void> {
    await this.#tail.start()
    this.#delivery.begin()
    const stored = await this.#db.read.queues.all()
    const now = this.#clock.monotonic()
    for (const { id, userId, descriptor, startEventId, lastEventId, idleTimeoutSeconds } of stored) {
      this.#queues.add({
        id,
        startEventId,
        idleTimeoutSeconds,
        viewer: { id: userId },
        descriptor: JSON.parse(descriptor) as QueueDescriptor,
        acknowledged: lastEventId,
        // While the server was away nobody could poll.
        lastSeenMs: now,
        isChanged: false,
        parked: undefined,
      })
    }
    this.#onError = onError
    this.#db.onCommitted((events) => this.#follow(events))
    const everyMs = Math.min(1000, Math.max(10, this.#timing.baseSeconds * 250))
    const beat = () => doNamed({ name: 'heartbeats' }, () => this.beat())
    this.#timer = setInterval(() => void beat().catch(onError), everyMs).unref()
  }

  /** Answers every parked poll, with no events, and stores the cursors. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const queue of this.#delivery.parked.all()) this.#answer(queue, new AnswerEvents())
    await this.#delivered
    await this.storeCursors()
  }

  /** From here on nobody who waits is told of anything. Who asks later is. */
  hold(): void {
    this.#isHeld = true
  }

  /** Tells everything that happened meanwhile. */
  release(): void {
    this.#isHeld = false
    this.#wake()
  }

  /** The newest event that queues can deliver. */
  get position(): number {
    return this.#tail.head
  }

  /** Queues of one user, polled or not, and those that are being made. */
  countOf(userId: UserId): number {
    const opening = [...this.#opening].filter(([id, owner]) => owner === userId && !this.#queues.get(id))
    return this.#queues.of(userId).length + opening.length
  }

  get counts(): { readonly queues: number; readonly parked: number } {
    return { queues: this.#queues.size, parked: this.#delivery.parked.size }
  }

  /** What events take in memory, in bytes: the newest of the log, and what was made of them for clients. */
  get memory(): { readonly tail: number; readonly forms: number } {
    return { tail: this.#tail.bytes, forms: this.#visible.formsBytes }
  }

  /**
   * Makes a queue that begins right after the `eventId` that `readState` returns: the head of the log that belongs to
   * the state its client is told, so that state and events together are the present, exactly.
   * The queue's row is there before the state is read: an event that tells connected people something of their own
   * (UpdateMessageLogEvent) is either in the state or was written with this queue's user in sight; and what comes after
   * the state stays in the log (trimLog).
   */
  async register<State extends { readonly eventId: EventId }>(
    { viewer, write }: QueueOwner,
    descriptor: QueueDescriptor,
    readState: () => Promise<State>,
    idleTimeoutSeconds: number,
  ): Promise<State & { readonly queueId: string }> {
    const id = randomUUID()
    const userId = viewer.id
    const before = this.#tail.head
    this.#opening.set(id, userId)
    try {
      await write((tx) =>
        tx.queues.insert({
          id,
          userId,
          descriptor: JSON.stringify(descriptor),
          startEventId: before,
          lastEventId: before,
          lastSeenAt: unixSeconds(this.#clock),
          idleTimeoutSeconds,
        }),
      )
      const state = await readState()
      // Deactivated meanwhile: this queue would outlive those that ended then.
      if (!this.#opening.has(id)) throw new UserDeactivatedError()
      this.#queues.add({
        id,
        viewer: { id: userId },
        descriptor,
        startEventId: state.eventId,
        idleTimeoutSeconds,
        acknowledged: state.eventId,
        lastSeenMs: this.#clock.monotonic(),
        isChanged: false,
        parked: undefined,
      })
      return { ...state, queueId: id }
    } catch (err) {
      // If that fails too, the queue expires, because nobody knows it.
      await this.#db.transaction((tx) => tx.queues.remove([id])).catch(() => undefined)
      throw err
    } finally {
      this.#opening.delete(id)
    }
  }

  /**
   * Events after what is acknowledged; with `mayBlock` and none there, a poll that is answered with the next ones or,
   * after a while, with a heartbeat (EVENTS-9, EVENTS-10).
   * @param lastEventId acknowledges everything up to it; absent: everything still in the queue is wanted (NOTE-2)
   * @throws {InvalidApiKeyError} when the key of the caller was replaced meanwhile
   */
  async poll(
    viewer: Poller,
    queueId: string,
    lastEventId: number | undefined,
    mayBlock: boolean,
  ): Promise<JsonFields | ParkedPoll> {
    const queue = this.#own(viewer, queueId)
    this.#acknowledge(queue, lastEventId)
    let scannedTo = queue.acknowledged
    const found = new AnswerEvents()
    // Loading may take a moment in which the log grows: go on until the head is reached without a pause.
    while (scannedTo < this.#tail.head && !found.isFull) {
      if (!this.#audiences.isLoaded(viewer.id)) await this.#audiences.load([viewer.id])
      const page = this.#tail.reaches(scannedTo) ? this.#tail.since(scannedTo) : await this.#tail.page(scannedTo)
      // While a page was read from the table, the user's subscriptions may have changed and been forgotten.
      if (!this.#audiences.isLoaded(viewer.id)) continue
      scannedTo = this.#visible.collect(page, queue, found) ?? this.#tail.head
      // SQLite answers without a pause: let others be served between the pages of a client that is far behind.
      if (scannedTo < this.#tail.head) await setImmediate()
    }
    if (this.#queues.get(queueId) !== queue) throw new BadEventQueueIdError(queueId) // removed meanwhile
    if (viewer.keyVersion < (this.#keyVersions.get(viewer.id) ?? 0)) throw new InvalidApiKeyError()
    // Only one connection waits on a queue: the older one is answered first (EVENTS-15).
    if (queue.parked) this.#answer(queue, new AnswerEvents())
    if (!found.isEmpty || !mayBlock || this.#isStopped) return new JsonFields(found.fields(queue.id))
    return this.#park(queue, scannedTo)
  }

  /** Frees the queue (DELETE /events). */
  async remove({ viewer, write }: QueueOwner, queueId: string): Promise<void> {
    const queue = this.#own(viewer, queueId)
    await write((tx) => tx.queues.remove([queue.id]))
    this.#forget(queue)
  }

  /** Drops queues that nobody asked for during their idle time. Returns their ids. */
  async expire(): Promise<string[]> {
    const now = this.#clock.monotonic()
    const idle = this.#queues
      .all()
      .filter((queue) => !queue.parked && queue.lastSeenMs + queue.idleTimeoutSeconds * 1000 < now)
    const ids = idle.map((queue) => queue.id)
    await this.end(ids)
    return ids
  }

  /** Ends queues, including those that only the table knows. @param db writes, where not every transaction will do */
  async end(ids: readonly string[], db: Pick<Database, 'transaction'> = this.#db): Promise<void> {
    for (const id of ids) {
      const queue = this.#queues.get(id)
      if (queue) this.#forget(queue)
    }
    for (const chunk of chunksOf(ids, QUEUES_A_TRANSACTION)) {
      await db.transaction((tx) => tx.queues.remove(chunk))
    }
  }

  /** Writes down what clients acknowledged since the last time; not once per poll (docs/decisions, "Lazy cursors"). */
  async storeCursors(): Promise<void> {
    const changed = this.#queues.all().filter((queue) => queue.isChanged)
    for (const chunk of chunksOf(changed, QUEUES_A_TRANSACTION)) {
      const cursors = chunk.map(({ id, acknowledged: lastEventId, lastSeenMs }) => {
        return { id, lastEventId, lastSeenAt: unixSecondsOf(lastSeenMs, this.#clock) }
      })
      for (const queue of chunk) queue.isChanged = false
      try {
        await this.#db.transaction((tx) => tx.queues.storeCursors(cursors))
      } catch (err) {
        for (const queue of chunk) queue.isChanged = true
        throw err
      }
    }
  }

  #forget(queue: Queue): void {
    this.#queues.delete(queue)
    this.#answer(queue, new AnswerEvents())
  }

  /** Somebody else's queue answers like one that does not exist (EVENTS-13). */
  #own(viewer: Viewer, queueId: string): Queue {
    const queue = this.#queues.get(queueId)
    if (!queue || queue.viewer.id !== viewer.id) throw new BadEventQueueIdError(queueId)
    return queue
  }

  #acknowledge(queue: Queue, lastEventId: number | undefined): void {
    queue.lastSeenMs = this.#clock.monotonic()
    queue.isChanged = true
    if (lastEventId === undefined) return
    if (lastEventId < queue.acknowledged) {
      // Before its first acknowledgement a queue has lost nothing; clients begin with -1 or with what /register said.
      if (queue.acknowledged === queue.startEventId) return
      throw new BadRequestError(`An event newer than ${lastEventId} has already been pruned!`)
    }
    if (lastEventId > this.#tail.head) throw new BadRequestError(`Event ${lastEventId} was not in this queue`)
    queue.acknowledged = lastEventId
  }

  #park(queue: Queue, scannedTo: number): ParkedPoll {
    const poll = new ParkedPoll(() => this.#unpark(queue, poll))
    const waitSeconds = this.#timing.baseSeconds + Math.random() * this.#timing.spreadSeconds
    queue.parked = { poll, heartbeatAtMs: this.#clock.monotonic() + waitSeconds * 1000, scannedTo }
    this.#delivery.park(queue)
    return poll
  }

  #unpark(queue: Queue, poll: ParkedPoll): void {
    if (queue.parked?.poll !== poll) return
    queue.parked = undefined
    this.#delivery.parked.delete(queue)
  }

  #answer(queue: Queue, found: AnswerEvents): void {
    this.#end(queue)?.answer(found.fields(queue.id))
  }

  /** The poll that waited on the queue, no longer parked. */
  #end(queue: Queue): ParkedPoll | undefined {
    const poll = queue.parked?.poll
    if (!poll) return undefined
    this.#unpark(queue, poll)
    queue.lastSeenMs = this.#clock.monotonic()
    queue.isChanged = true
    return poll
  }

  #follow(events: readonly LoggedEvent[]): void {
    for (const logged of events) this.#delivery.follow(logged)
    this.#tail.push(events)
    let hasEnded = false
    for (const { event } of events) {
      const userId = deactivatedBy(event)
      if (userId !== undefined) this.#endOf(userId)
      if (event.type === 'api_key') this.#refuseOldKey(event)
      if (event.type === 'realm' && event.op === 'deactivated') hasEnded = true
    }
    this.#wake()
    if (hasEnded) void this.#delivered.then(() => this.#refuseAll())
  }

  /** Ends the queues of an account that was deactivated; their rows went in the same transaction. */
  #endOf(userId: UserId): void {
    for (const [id, owner] of this.#opening) if (owner === userId) this.#opening.delete(id)
    for (const queue of this.#queues.of(userId)) this.#forget(queue)
  }

  /** Polls that wait with a key that no longer counts are refused. Their queues stay for whoever has the new one. */
  #refuseOldKey({ userId, keyVersion }: ApiKeyLogEvent): void {
    this.#keyVersions.set(userId, keyVersion)
    for (const queue of this.#queues.of(userId)) this.#end(queue)?.answer(new InvalidApiKeyError())
  }

  /** Polls that still wait when the organization was deactivated: their clients listen for other events, and would wait for nothing. */
  #refuseAll(): void {
    if (!this.#db.read.organization.isDeactivated) return
    for (const queue of this.#delivery.parked.all()) this.#end(queue)?.answer(new RealmDeactivatedError())
  }

  #wake(): void {
    if (this.#isHeld || this.#delivery.isUnderWay) return
    if (this.#delivery.parked.size === 0) {
      this.#delivery.begin()
      return
    }
    this.#delivered = doNamed({ name: 'event delivery' }, () => this.#delivery.toAll()).catch((err: unknown) => {
      this.#onError(err)
      setTimeout(() => this.#wake(), RETRY_MS).unref()
    })
  }

  /** Answers the polls that have waited long enough; once a second by itself. */
  async beat(): Promise<void> {
    const now = this.#clock.monotonic()
    const isDue = (queue: Queue): boolean => (queue.parked?.heartbeatAtMs ?? Number.POSITIVE_INFINITY) <= now
    if (this.#isHeld || this.#isBeating || !this.#delivery.parked.all().some(isDue)) return
    this.#isBeating = true
    try {
      const tick = await this.#ticks.after(this.#delivery.parked.all().filter(isDue))
      let answered = 0
      for (const queue of this.#delivery.parked.all().filter(isDue)) {
        this.#delivery.to(queue)
        if (!queue.parked || queue.acknowledged >= tick || !this.#delivery.hasSeen(queue, tick)) continue
        this.#answer(queue, new AnswerEvents(heartbeatJson(tick)))
        answered += 1
        if (answered % SLICE === 0) await setImmediate()
      }
    } finally {
      this.#isBeating = false
    }
  }
}
