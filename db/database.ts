import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../domain/clock.ts'
import { type LoggedEvent, loggedEvent } from '../domain/events/log-event.ts'
import { Batch } from './batch.ts'
import { isStorageFault } from './dialect.ts'
import { FollowedOrganization } from './followed-organization.ts'
import { migrate, migrationsOf } from './migrate.ts'
import { type EventLogReader, EventLogWriter } from './repositories/event-log.ts'
import { SearchWriter } from './repositories/search.ts'
import { bindReaders, bindWriters, type Tx } from './repositories.ts'
import type { Engine } from './session.ts'
import { bindCommittedReaders, type CommittedReaders, SharedRows } from './shared-rows.ts'
import { StartReader } from './start-reader.ts'
import { withinTime } from './time-limit.ts'
import { WriteQueue } from './write-queue.ts'

export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string; readonly synchronous: 'FULL' | 'NORMAL' | 'OFF' }
  /**
   * `mysql://user:password@host:port/database`. `isExclusive`: no other process can connect until `share` is called.
   */
  | { readonly kind: 'mariadb'; readonly url: string; readonly isExclusive?: boolean }

/** For code that writes only as the account of a request (permissions/write.ts), or with a lease (jobs/lease.ts). */
export type ReadOnlyDatabase = Pick<Database, 'read' | 'snapshot' | 'storageFault'>

/** Longer than the interval between two writes of a job. */
const STORAGE_FAULT_MS = 90_000

/**
 * How often to look for commits of other processes, so that polls hear of these. Every other request looks by itself.
 */
const LOOK_MS = 100
/** Every request waits for a look, so a look on a silent connection is given up after this time. */
const LOOK_LIMIT_MS = 10_000
const UP_TO_DATE = Promise.resolve()

/** Events were trimmed that this process has not read, so its memory would stay wrong. */
class LogGapError extends Error {
  override readonly name = 'LogGapError'
  constructor(position: number, next: number) {
    super(`the event log was read up to ${position}, and goes on at ${next}: this process was paused for too long`)
  }
}

/** The only access to the rows: reads, write transactions, and snapshots. */
export class Database {
  /** Each read sees everything that was committed before it. */
  readonly read: CommittedReaders
  readonly #engine: Engine
  readonly #organization: FollowedOrganization
  readonly #shared: SharedRows
  readonly #tx: Tx
  readonly #writes: WriteQueue
  readonly #listeners = new Set<(events: readonly LoggedEvent[]) => void>()
  #announced = 0
  #look: Promise<void> = UP_TO_DATE
  #nextLook: Promise<void> | undefined
  #looks: NodeJS.Timeout | undefined
  readonly #clock: Clock
  #storageFault: { readonly reason: unknown; readonly atMs: number } | undefined

  private constructor(engine: Engine, clock: Clock, isChecked: boolean) {
    this.#engine = engine
    this.#clock = clock
    this.#organization = new FollowedOrganization(clock)
    this.#shared = new SharedRows(isChecked)
    const read = bindCommittedReaders(engine.reader, () => this.#organization.present, this.#shared)
    this.read = Object.assign(read, { upToDate: () => this.upToDate() })
    const batch = new Batch()
    const log = new EventLogWriter(engine.writer, clock, batch)
    const search = new SearchWriter(engine.writer, batch)
    const organization = batch.following(
      () => this.#organization.present,
      (before, events) => before.after(events),
    )
    const writers = bindWriters(engine.writer, organization, { events: log, search })
    this.#tx = Object.assign(writers, { start: new StartReader(this.#shared, batch, writers, isChecked) })
    this.#writes = new WriteQueue(
      engine.writer,
      batch,
      log,
      search,
      (head) => this.#readUpTo(head, writers.events),
      (events) => this.#tell(events),
      () => this.#catchUp().catch(() => undefined), // no connection: the next writer reads the log
    )
  }

  /**
   * Opens the database and migrates its schema.
   *
   * @param isChecked whether caches are compared with the tables whenever they are used
   */
  static async open(location: DatabaseLocation, clock: Clock, isChecked = false): Promise<Database> {
    const database = new Database(await openEngine(location), clock, isChecked)
    try {
      await migrate(database.#engine.writer)
      await database.readOrganization()
    } catch (err) {
      await database.close()
      throw err
    }
    return database
  }

  /** Begins to follow the organization: at the start, and after the first start has created it. */
  async readOrganization(): Promise<void> {
    await this.#engine.snapshot(async (session) => {
      const rows = bindReaders(session, () => this.#organization.present)
      const { eventId } = await rows.events.head()
      await this.#organization.start(rows, eventId)
      this.#shared.start(eventId)
      this.#announced = eventId
    })
  }

  /** Lets other processes connect, now that the organization exists, and starts to look for their commits. */
  async share(): Promise<void> {
    if (!this.#engine.share) return
    await this.#engine.share()
    // If there is no connection, the next look finds the commits.
    this.#looks = setInterval(() => void this.upToDate().catch(() => undefined), LOOK_MS).unref()
  }

  get dialect(): 'sqlite' | 'mariadb' {
    return this.#engine.dialect
  }

  /**
   * Runs `body` in a transaction that other writers share; its rows and events become visible together or not at all.
   * See WriteQueue.run for what a body must not do.
   */
  async transaction<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.#writes.run(() => body(this.#tx))
    } catch (err) {
      if (isStorageFault(err)) this.#storageFault = { reason: err, atMs: this.#clock.monotonic() }
      throw err
    }
  }

  /**
   * The reason why something could not be stored recently, because a disk is full or fails; otherwise undefined. A
   * small successful write does not clear it, because there may be room for that and nothing else. Jobs write every
   * minute, so it lasts as long as the fault.
   */
  get storageFault(): unknown {
    const { reason, atMs } = this.#storageFault ?? { reason: undefined, atMs: Number.NEGATIVE_INFINITY }
    return this.#clock.monotonic() - atMs < STORAGE_FAULT_MS ? reason : undefined
  }

  /** Everything that `work` reads is from the same moment, such as the state and the log's head of POST /register. */
  snapshot<T>(work: (readers: CommittedReaders) => Promise<T>): Promise<T> {
    return this.#engine.snapshot(async (session) => {
      let organization = this.#organization.present
      let head: number | undefined
      const present = () => organization
      const readers = bindCommittedReaders(session, present, this.#shared, () => head)
      head = (await readers.events.head()).eventId
      organization = await this.#organization.at(readers, head)
      return work(readers)
    })
  }

  /**
   * Calls `listener` with every committed event, once and in the order of the log. If a listener throws, the process
   * ends, because from then on everything that follows the log (such as permissions) would be wrong.
   */
  onCommitted(listener: (events: readonly LoggedEvent[]) => void): void {
    this.#listeners.add(listener)
  }

  /** Position of the log up to which listeners have been told. */
  get position(): number {
    return this.#announced
  }

  /**
   * Announces everything that other processes committed before this call. Calls that come while the log is being read
   * share the next read. Does nothing on SQLite, which only one process uses.
   */
  upToDate(): Promise<void> {
    if (this.dialect === 'sqlite') return UP_TO_DATE
    this.#nextLook ??= this.#look.then(() => {
      this.#nextLook = undefined
      const look = this.#catchUp()
      this.#look = look.catch(() => undefined)
      return look
    })
    return this.#nextLook
  }

  /** Announces events of other processes, and of a commit whose response was lost. */
  async #catchUp(): Promise<void> {
    const { eventId } = await withinTime(this.read.events.head(), LOOK_LIMIT_MS)
    await this.#readUpTo(eventId, this.read.events)
  }

  /** @param head of the log, up to which `log` can read */
  async #readUpTo(head: number, log: EventLogReader): Promise<void> {
    while (this.#announced < head) {
      const before = this.#announced
      const page = await log.page(before)
      if (this.#announced === before && page[0]?.id !== before + 1) {
        throw endProcess(new LogGapError(before, page[0]?.id ?? head))
      }
      this.#tell(page.map(loggedEvent))
    }
  }

  /** @param told events without a gap, of which the first may have been announced meanwhile */
  #tell(told: readonly LoggedEvent[]): void {
    const events = told.filter(({ id }) => id > this.#announced)
    if (events.length === 0) return
    this.#organization.follow(events)
    this.#shared.follow(events)
    const last = events.at(-1)
    if (last) this.#announced = last.id + last.width - 1
    for (const listener of this.#listeners) {
      try {
        listener(events)
      } catch (err) {
        endProcess(err)
      }
    }
  }

  /** Drops all caches after somebody changed rows without an event. */
  forget(): void {
    this.#shared.forget()
  }

  /** Waits for open writes; later ones are refused. */
  async close(): Promise<void> {
    clearInterval(this.#looks)
    await this.#writes.close()
    await this.#look
    await this.#engine.close()
  }
}

/** Ends the process. The supervisor starts it again, and it reads the tables. */
function endProcess(err: unknown): unknown {
  setImmediate(() => {
    throw err
  })
  return err
}

/** Whether a server has started on this database: the SQLite file exists, or MariaDB has our tables. */
export async function hasDatabase(location: DatabaseLocation): Promise<boolean> {
  if (location.kind === 'sqlite') return existsSync(location.file)
  const engine = await openBeside(location)
  try {
    return (await migrationsOf(engine.reader)).length > 0
  } finally {
    await engine.close()
  }
}

/** Opens the database beside a server, which may be just changing its tables. */
export function openBeside(location: DatabaseLocation): Promise<Engine> {
  return openEngine(location.kind === 'mariadb' ? { ...location, isExclusive: false } : location)
}

export async function openEngine(location: DatabaseLocation): Promise<Engine> {
  if (location.kind === 'mariadb') {
    const { openMariaDb } = await import('./mariadb.ts')
    return openMariaDb(location.url, location.isExclusive ?? false)
  }
  await mkdir(dirname(location.file), { recursive: true })
  const { openSqlite, refuseForeign } = await import('./sqlite.ts')
  refuseForeign(location.file)
  return openSqlite(location.file, location.synchronous)
}
