import { closeSync, existsSync, openSync, realpathSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import knexFactory, { type Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { Checkpoints } from './checkpoints.ts'
import type { Engine, RunResult, Session, SqlValue, WriterSession } from './session.ts'

/** `OFF` is for data that nobody misses: a power failure may damage the file, a crash of the process does not. */
export type Synchronous = 'FULL' | 'NORMAL' | 'OFF'

/** How long a transaction waits for another writer, and how long it pauses before it looks again. */
const LOCKED_MS = 5000
const LOCKED_PAUSE_MS = { first: 1, longest: 16 }

/** The texts of all statements that a handle keeps: some four times those of the server itself. */
const STATEMENT_CHARACTERS = 128 * 1024

/** `?` statements on one handle, prepared once each, Knex's too. Answers come at once, not as promises. */
class SqliteSession implements Session {
  readonly dialect = 'sqlite'
  readonly knex: Knex
  readonly #handle: Sqlite.Database
  /** A statement takes some 50 bytes for a character of its text. Long ones have a list in them and are another one each time. */
  readonly #statements = new LRUCache<string, Sqlite.Statement>({
    maxSize: STATEMENT_CHARACTERS,
    maxEntrySize: STATEMENT_CHARACTERS / 32,
    sizeCalculation: (_statement, sql) => sql.length,
  })

  constructor(handle: Sqlite.Database) {
    this.#handle = handle
    this.knex = knexOn((sql) => this.#prepared(sql))
  }

  all<Row>(sql: string, params: readonly SqlValue[] = []): Row[] {
    return this.#prepared(sql).all(...params) as Row[]
  }

  get<Row>(sql: string, params: readonly SqlValue[] = []): Row | undefined {
    return this.#prepared(sql).get(...params) as Row | undefined
  }

  run(sql: string, params: readonly SqlValue[] = []): RunResult {
    const { changes, lastInsertRowid } = this.#prepared(sql).run(...params)
    return { changes, insertId: Number(lastInsertRowid) }
  }

  protected get isInTransaction(): boolean {
    return this.#handle.inTransaction
  }

  #prepared(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#handle.prepare(planned(sql))
    this.#statements.set(sql, statement)
    return statement
  }
}

/**
 * What is read in one turn of the event loop is read in one transaction. On its own each statement would look for a newer
 * state, and take and free a lock: three system calls, as much as the message read itself. A commit of this process
 * ends the transaction, so each read still sees everything that was committed before it.
 */
class SqliteReaderSession extends SqliteSession {
  readonly #letGo = (): void => this.letGo()
  #isHolding = false

  override all<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    this.#hold()
    return super.all(sql, params)
  }

  override get<Row>(sql: string, params?: readonly SqlValue[]): Row | undefined {
    this.#hold()
    return super.get(sql, params)
  }

  /** The next statement sees what is committed by then. */
  letGo(): void {
    if (!this.#isHolding) return
    this.#isHolding = false
    // SQLite ends a transaction by itself after some errors.
    if (this.isInTransaction) this.run('commit')
  }

  #hold(): void {
    if (this.#isHolding) return
    // Left open by a commit that failed, it is used up in this turn: reads would be of its moment for ever.
    if (!this.isInTransaction) this.run('begin')
    this.#isHolding = true
    setImmediate(this.#letGo)
  }
}

class SqliteWriterSession extends SqliteSession implements WriterSession {
  readonly #reader: SqliteReaderSession
  readonly #checkpoints: Checkpoints
  readonly #disk: LogOnDisk | undefined
  #hasBegun = false
  #isPatient = false

  /** @param disk undefined where a commit does not wait for the disk */
  constructor(handle: Sqlite.Database, reader: SqliteReaderSession, checkpoints: Checkpoints, disk?: LogOnDisk) {
    super(handle)
    this.#reader = reader
    this.#checkpoints = checkpoints
    this.#disk = disk
  }

  override run(sql: string, params?: readonly SqlValue[]): RunResult {
    // Without a transaction each statement is a commit.
    if (!this.#hasBegun) this.#reader.letGo()
    return super.run(sql, params)
  }

  /** Waits for whoever else writes to the file (a checkpoint, an operator's tool), and others are served meanwhile. */
  async begin(): Promise<void> {
    await this.#checkpoints.room(this.#disk?.isDoubtful)
    if (!this.#isPatient) {
      // SQLite would wait with the whole process.
      this.get('pragma busy_timeout = 0')
      this.#isPatient = true
    }
    if (this.#disk?.isDoubtful) this.#bringToDisk(this.#disk)
    const since = performance.now()
    for (let pauseMs = LOCKED_PAUSE_MS.first; !this.#tryBegin(performance.now() - since < LOCKED_MS); pauseMs *= 2) {
      await delay(Math.min(pauseMs, LOCKED_PAUSE_MS.longest))
    }
    await this.#disk?.open()
  }
  /** @returns false where somebody else writes, and there is time left */
  #tryBegin(hasTime: boolean): boolean {
    try {
      this.run('begin immediate')
    } catch (err) {
      // Also when another process recovers the database.
      if (hasTime && String((err as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return false
      throw err
    }
    this.#hasBegun = true
    return true
  }
  /**
   * After a failure nobody knows which pages of the log are on the disk, and what follows a missing one would be lost
   * with it, even if it was acknowledged. The database file gets them all from memory, where the kernel still has them.
   */
  #bringToDisk(disk: LogOnDisk): void {
    this.#reader.letGo()
    const { busy } = this.get<{ busy: number }>('pragma wal_checkpoint(TRUNCATE)') ?? { busy: 1 }
    if (busy !== 0) {
      const failure = new Error('The disk failed, and what was written since cannot be stored on it yet')
      throw Object.assign(failure, { code: 'EIO' })
    }
    disk.isDoubtful = false
  }
  /** Ends when what was written is on the disk, as far as `synchronous` asks for it. It may be read before. */
  async commit(): Promise<void> {
    // Before, not after: what follows may start the log over, which it cannot while somebody reads there.
    this.#reader.letGo()
    this.run('commit')
    this.#hasBegun = false
    this.#checkpoints.onCommit()
    await this.#disk?.sync()
  }
  rollback(): void {
    // A failed commit (disk full) has rolled back already.
    if (this.isInTransaction) this.run('rollback')
    this.#hasBegun = false
  }
  savepoint(): void {
    this.run('savepoint body')
  }
  releaseSavepoint(): void {
    this.run('release body')
  }
  rollbackToSavepoint(): void {
    this.run('rollback to body')
    this.run('release body')
  }
}

/**
 * The same statement, planned once. SQLite (built with STAT4) plans a statement afresh at every call where the plan may
 * depend on a bound value: 50 µs instead of 3 for the message read. `+?` is the same value, and the planner ignores it.
 */
function planned(sql: string): string {
  return sql.replaceAll('?', '+?')
}

/**
 * The write-ahead log of a database file, brought to the disk without the event loop. SQLite itself would do so as a part
 * of each commit, with `synchronous` FULL, and everybody would wait for a disk that is busy (SEC-LOOP-7).
 */
class LogOnDisk {
  /** Whether a sync has failed, and nothing was done about it. */
  isDoubtful = false
  readonly #file: string
  #handle: FileHandle | undefined

  /** @param file of the database, itself and no link to it: SQLite's log stands beside that */
  constructor(file: string) {
    this.#file = `${file}-wal`
  }

  /**
   * To be called in a transaction: by then SQLite has made the file, which it keeps until the last connection closes.
   */
  async open(): Promise<void> {
    this.#handle ??= await open(this.#file, 'r+')
  }

  async sync(): Promise<void> {
    try {
      await this.#handle?.datasync()
    } catch (err) {
      this.isDoubtful = true
      throw err
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }
}

/** A Knex whose every query runs as a statement of this handle, in whatever transaction is open there. */
function knexOn(prepare: (sql: string) => Sqlite.Statement): Knex {
  const knex = knexFactory({ client: 'better-sqlite3', useNullAsDefault: true, compileSqlOnError: false })
  // All that Knex asks of a connection; by itself it prepares each query anew, and what it took is free only when garbage is collected.
  knex.client.acquireConnection = () => Promise.resolve({ prepare })
  knex.client.releaseConnection = () => Promise.resolve()
  return knex
}

/** Makes the file, when absent, for its owner alone, in whatever folder it is; SQLite gives its other files the same mode. */
export function makeClosed(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/**
 * Opens (and makes, when absent) the database file.
 * One handle writes; another only reads, so that a reader does not wait for a long transaction;
 * a third serves snapshots, one at a time, so that ordinary reads never see the past of an open snapshot.
 */
export function openSqlite(file: string, synchronous: Synchronous): Engine {
  makeClosed(file)
  const writerHandle = new Sqlite(file)
  writerHandle.pragma('journal_mode = WAL')
  // In NORMAL a commit does not wait for the disk; a new beginning of the log and checkpoints do.
  writerHandle.pragma(`synchronous = ${synchronous === 'OFF' ? 'OFF' : 'NORMAL'}`)
  writerHandle.pragma('foreign_keys = ON')
  writerHandle.pragma('cache_size = -16000')
  // `message_search_terms`: what words there are, and how many messages have each.
  const openReader = (cacheKib: number): Sqlite.Database => {
    const handle = new Sqlite(file)
    handle.exec("create virtual table temp.message_search_terms using fts5vocab('main', 'message_search', 'row')")
    handle.pragma('query_only = ON')
    handle.pragma(`cache_size = -${cacheKib}`)
    return handle
  }
  const readerHandle = openReader(16_000)
  const reader = new SqliteReaderSession(readerHandle)
  const checkpoints = new Checkpoints(file, writerHandle)
  const disk = synchronous === 'FULL' ? new LogOnDisk(realpathSync(file)) : undefined
  const writer = new SqliteWriterSession(writerHandle, reader, checkpoints, disk)

  let snapshotHandle: Sqlite.Database | undefined
  let snapshotSession: SqliteSession | undefined
  let lastSnapshot: Promise<unknown> = Promise.resolve()
  const runSnapshot = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    // A snapshot reads much once; what it reads again the kernel has.
    snapshotHandle ??= openReader(4000)
    snapshotSession ??= new SqliteSession(snapshotHandle)
    const session = snapshotSession
    session.run('begin')
    try {
      return await work(session)
    } finally {
      session.run('commit')
    }
  }

  return {
    dialect: 'sqlite',
    reader,
    writer,
    snapshot(work) {
      const result = lastSnapshot.then(() => runSnapshot(work))
      lastSnapshot = result.catch(() => undefined)
      return result
    },
    async close() {
      await lastSnapshot
      await checkpoints.end()
      await disk?.close()
      snapshotHandle?.close()
      readerHandle.close()
      writerHandle.close()
    },
  }
}
