import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { StoredQueue } from '../db/repositories/event-queues.ts'
import { chunksOf } from '../domain/chunks.ts'
import { type Clock, unixSeconds, unixSecondsOf } from '../domain/clock.ts'
import { BadEventQueueIdError, BadRequestError, InvalidApiKeyError } from '../domain/errors.ts'
import type { ApiKeyLogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { JsonPieces } from '../domain/json-pieces.ts'
import { RealmDeactivatedError } from '../domain/organization/realm-deactivated.ts'
import type { Write } from '../permissions/write.ts'
import { heartbeatJson } from './adapt.ts'
import { AnswerEvents } from './answer-events.ts'
import { Audiences } from './audience.ts'
import { Delivery } from './delivery.ts'
import { deactivatedBy, type Poller, type Queue } from './event-queue.ts'
import { LogTail } from './log-tail.ts'
import { ParkedPoll } from './parked-poll.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'
import { Ticks } from './ticks.ts'
import { type QueueSite, VisibleEvents } from './visible-events.ts'

export interface HeartbeatTiming {
  /** Minimum seconds until a parked poll gets a heartbeat. */
  readonly baseSeconds: number
  /** Random extra seconds, so that clients do not all return at once. */
  readonly spreadSeconds: number
}

/** The caller who creates or deletes a queue. */
export interface QueueOwner {
  readonly userId: UserId
  readonly write: Write
}

/** Number of heartbeats sent in one turn of the event loop (docs/decisions, "Parked polls leave Koa"). */
const SLICE = 50
/** Maximum number of queues in a transaction, because everybody's writes wait behind it. */
const QUEUES_A_TRANSACTION = 1000
/** Twice the time after which cursors are stored (jobs/event-queues.ts). */
const STORED_LATE_SECONDS = 60
/** After an error, the parked polls are checked again. */
const RETRY_MS = 1000

/** The event queues of this process: cursors over the log, and the polls parked on them. */
export class EventQueues {
  readonly #db: Database
  readonly #clock: Clock
  readonly #timing: HeartbeatTiming
  readonly #tail: LogTail
  readonly #audiences: Audiences
  readonly #visible: VisibleEvents
  readonly #ticks: Ticks
  /** By ID. */
  readonly #queues = new Map<string, Queue>()
  readonly #delivery: Delivery
  /** Number of the valid key, for accounts that got a new key since the start. */
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

  /** Starts to follow the log. */
  async start(onError: (err: unknown) => void): Promise<void> {
    this.#onError = onError
    this.#tail.start()
    this.#delivery.begin()
    this.#db.onCommitted((events) => this.#follow(events))
    // While the server was down nobody could poll.
    await this.#db.transaction((tx) => tx.queues.markAllSeen(unixSeconds(this.#clock)))
    const everyMs = Math.min(1000, Math.max(10, this.#timing.baseSeconds * 250))
    this.#timer = setInterval(() => void this.beat().catch(onError), everyMs).unref()
  }

  /** Answers every parked poll without events, and stores the cursors. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const queue of this.#delivery.parked.all()) this.#answer(queue, new AnswerEvents())
    await this.#delivered
    await this.storeCursors()
  }

  /** From here on polls get no events. */
  hold(): void {
    this.#isHeld = true
  }

  /** Delivers everything that happened meanwhile. */
  async release(): Promise<void> {
    await this.#delivered
    this.#isHeld = false
    this.#delivery.beginAgain()
    this.#wake()
  }

  /** The newest event that queues can deliver. */
  get position(): number {
    return this.#tail.head
  }

  get counts(): { readonly queues: number; readonly parked: number } {
    return { queues: this.#queues.size, parked: this.#delivery.parked.size }
  }

  /** Memory in bytes: the newest events of the log, and their forms for clients. */
  get memory(): { readonly tail: number; readonly forms: number } {
    return { tail: this.#tail.bytes, forms: this.#visible.formsBytes }
  }

  /**
   * Creates a queue that begins right after the `eventId` of `readState`, the head of the log that belongs to the
   * client's initial state, so that state plus events is exactly the present. The queue's row exists before the state
   * is read. So an event with personal data for connected users (UpdateMessageLogEvent) is either in the state or
   * includes this queue's user, and later events stay in the log (trimLog).
   */
  async register<State extends { readonly eventId: EventId }>(
    { userId, write }: QueueOwner,
    descriptor: QueueDescriptor,
    readState: () => Promise<State>,
    idleTimeoutSeconds: number,
  ): Promise<State & { readonly queueId: string }> {
    const id = randomUUID()
    const before = this.#tail.head
    const row: StoredQueue = {
      id,
      userId,
      descriptor: JSON.stringify(descriptor),
      startEventId: before,
      lastEventId: before,
      lastSeenAt: unixSeconds(this.#clock),
      idleTimeoutSeconds,
    }
    try {
      await write((tx) => tx.queues.insert(row))
      const state = await readState()
      const begun = { ...row, startEventId: state.eventId, lastEventId: state.eventId }
      // Another process, or this one after a restart, may answer the first poll.
      if (state.eventId > before) await this.#db.transaction((tx) => tx.queues.begin(begun))
      this.#take(begun)
      return { ...state, queueId: id }
    } catch (err) {
      // If that fails too, the queue expires, because nobody knows it.
      await this.#db.transaction((tx) => tx.queues.remove([id])).catch(() => undefined)
      throw err
    }
  }

  /**
   * Returns events after the acknowledged ones. If there are none and `mayBlock`, returns a parked poll, which is
   * answered with the next events or, after a while, a heartbeat (EVENTS-9, EVENTS-10).
   * @param lastEventId acknowledges everything up to it; if absent, everything still in the queue is returned (NOTE-2)
   * @throws {InvalidApiKeyError} if the caller's key was replaced meanwhile
   */
  async poll(
    { id: userId, keyVersion }: Poller,
    queueId: string,
    lastEventId: number | undefined,
    mayBlock: boolean,
  ): Promise<JsonPieces | ParkedPoll> {
    const queue = await this.#own(userId, queueId)
    await this.#acknowledge(queue, lastEventId)
    let scannedTo = queue.acknowledged
    const found = new AnswerEvents()
    // The log may grow while audiences are loaded: go on until the head is reached without a pause.
    while (!this.#isHeld && scannedTo < this.#tail.head && !found.isFull) {
      if (!this.#audiences.isLoaded(userId)) await this.#audiences.load([userId])
      const page = this.#tail.reaches(scannedTo) ? this.#tail.since(scannedTo) : await this.#tail.page(scannedTo)
      // While a page was read from the table, the user's subscriptions may have changed and been dropped.
      if (!this.#audiences.isLoaded(userId)) continue
      scannedTo = this.#visible.collect(page, queue, found, lastEventId) ?? this.#tail.head
      // SQLite answers without a pause, so this serves others between the pages of a client that is far behind.
      if (scannedTo < this.#tail.head) await setImmediate()
    }
    if (this.#queues.get(queueId) !== queue) throw new BadEventQueueIdError(queueId) // removed meanwhile
    if (keyVersion < (this.#keyVersions.get(userId) ?? 0)) throw new InvalidApiKeyError()
    // Only one connection waits on a queue; the older one is answered first (EVENTS-15).
    if (queue.parked) this.#answer(queue, new AnswerEvents())
    if (!found.isEmpty || !mayBlock || this.#isStopped) return new JsonPieces(found.fields(queue.id))
    return this.#park(queue, scannedTo)
  }

  /** Deletes the queue (DELETE /events). */
  async remove({ userId, write }: QueueOwner, queueId: string): Promise<void> {
    const queue = await this.#own(userId, queueId)
    await write((tx) => tx.queues.remove([queue.id]))
    this.#forget(queue)
  }

  /**
   * Maximum delay until another process stores that a queue was polled: the time for which a poll is parked, and the
   * time until cursors are stored next. With SQLite there is one process.
   */
  get #lateSeconds(): number {
    if (this.#db.dialect === 'sqlite') return 0
    return STORED_LATE_SECONDS + this.#timing.baseSeconds + this.#timing.spreadSeconds
  }

  /** Ends queues that were idle for too long, including those of other processes. Returns their IDs. */
  async expire(): Promise<string[]> {
    await this.storeCursors()
    const now = this.#clock.monotonic()
    for (const queue of this.#queues.values()) {
      if (!queue.parked && queue.lastSeenMs + queue.idleTimeoutSeconds * 1000 < now) this.#queues.delete(queue.id)
    }
    const idle = await this.#db.read.queues.idleAt(unixSeconds(this.#clock) - this.#lateSeconds)
    const ids = idle.filter((id) => !this.#queues.get(id))
    await this.end(ids)
    return ids
  }

  /**
   * Ends queues, including queues that only the table has. @param db for writing, if a special transaction is needed
   */
  async end(ids: readonly string[], db: Pick<Database, 'transaction'> = this.#db): Promise<void> {
    for (const id of ids) {
      const queue = this.#queues.get(id)
      if (queue) this.#forget(queue)
    }
    for (const chunk of chunksOf(ids, QUEUES_A_TRANSACTION)) {
      await db.transaction((tx) => tx.queues.remove(chunk))
    }
  }

  /**
   * Stores what clients have acknowledged since the last call; polls do not store it (docs/decisions, "Lazy cursors").
   */
  async storeCursors(): Promise<void> {
    const changed = [...this.#queues.values()].filter((queue) => queue.isChanged)
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

  /** Rarely asked, so it looks through all: 0.1 ms for 10,000. */
  #of(userId: UserId): readonly Queue[] {
    return [...this.#queues.values()].filter((queue) => queue.userId === userId)
  }

  #forget(queue: Queue): void {
    this.#queues.delete(queue.id)
    this.#answer(queue, new AnswerEvents())
  }

  /** Somebody else's queue answers like one that does not exist (EVENTS-13). */
  async #own(userId: UserId, queueId: string): Promise<Queue> {
    const row = await this.#db.read.queues.find(queueId)
    const known = this.#queues.get(queueId)
    if (!row && known) this.#forget(known)
    // MariaDB ignores trailing spaces when it compares.
    if (row?.userId !== userId || row.id !== queueId) throw new BadEventQueueIdError(queueId)
    const queue = known ?? this.#take(row)
    // Another process may have stored a later acknowledgement.
    queue.acknowledged = Math.max(queue.acknowledged, row.lastEventId)
    return queue
  }

  #take({ id, userId, descriptor, startEventId, lastEventId, idleTimeoutSeconds }: StoredQueue): Queue {
    const queue: Queue = {
      id,
      userId,
      startEventId,
      idleTimeoutSeconds,
      descriptor: JSON.parse(descriptor) as QueueDescriptor,
      acknowledged: lastEventId,
      lastSeenMs: this.#clock.monotonic(),
      isChanged: false,
      parked: undefined,
    }
    this.#queues.set(id, queue)
    return queue
  }

  async #acknowledge(queue: Queue, lastEventId: number | undefined): Promise<void> {
    queue.lastSeenMs = this.#clock.monotonic()
    queue.isChanged = true
    if (lastEventId === undefined) return
    if (lastEventId < queue.acknowledged) {
      // Before its first acknowledgement a queue has lost nothing; clients begin with -1 or with the value of
      // /register.
      if (queue.acknowledged === queue.startEventId) return
      throw new BadRequestError(`An event newer than ${lastEventId} has already been pruned!`)
    }
    if (lastEventId > this.#tail.head) throw new BadRequestError(`Event ${lastEventId} was not in this queue`)
    const beginning = await this.#tail.beginningAt(lastEventId)
    queue.acknowledged = Math.max(queue.acknowledged, beginning)
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
    queue.lastSeenMs = this.#clock.monotonic()
    queue.isChanged = true
  }

  #answer(queue: Queue, found: AnswerEvents): void {
    this.#end(queue)?.answer(found.fields(queue.id))
  }

  /** Removes and returns the poll parked on the queue. */
  #end(queue: Queue): ParkedPoll | undefined {
    const poll = queue.parked?.poll
    if (!poll) return undefined
    this.#unpark(queue, poll)
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

  /** Ends the queues of a deactivated account; their rows were deleted in the same transaction. */
  #endOf(userId: UserId): void {
    for (const queue of this.#of(userId)) this.#forget(queue)
  }

  /** Refuses parked polls with a replaced key. Their queues stay for the owner of the new key. */
  #refuseOldKey({ userId, keyVersion }: ApiKeyLogEvent): void {
    this.#keyVersions.set(userId, keyVersion)
    for (const queue of this.#of(userId)) this.#end(queue)?.answer(new InvalidApiKeyError())
  }

  /**
   * Refuses polls that are still parked when the organization is deactivated, because their clients would wait in vain
   * for other events.
   */
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
    this.#delivered = this.#delivery.toAll().catch((err: unknown) => {
      this.#onError(err)
      setTimeout(() => this.#wake(), RETRY_MS).unref()
    })
  }

  /** Answers polls that have waited long enough; called once a second. */
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
