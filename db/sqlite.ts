import { closeSync, existsSync, openSync, realpathSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import knexFactory, { type Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { Checkpoints } from './checkpoints.ts'
import type { Engine, RunResult, Session, SqlValue, WriterSession } from './session.ts'
import { FOREIGN, UnusableDatabaseError } from './unusable.ts'

/** `OFF` is for data that may be lost: a power failure may damage the file, a crash of the process does not. */
export type Synchronous = 'FULL' | 'NORMAL' | 'OFF'

/** Maximum time for which a transaction waits for another writer, and the pauses between two attempts. */
const LOCKED_MS = 5000
const LOCKED_PAUSE_MS = { first: 1, longest: 16 }

/** Maximum characters of all statements that a handle keeps: some four times the total of the server's own. */
const STATEMENT_CHARACTERS = 128 * 1024

/**
 * Runs statements on one handle. Prepares each once, including those of Knex. Returns results directly, not as
 * promises.
 */
class SqliteSession implements Session {
  readonly dialect = 'sqlite'
  readonly knex: Knex
  readonly #handle: Sqlite.Database
  /**
   * A prepared statement takes some 50 bytes for a character of its text. Long ones contain lists, which differ each
   * time.
   */
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

  /** Ends a transaction that has only read. */
  endReads(): void {
    // SQLite ends a transaction by itself after some errors.
    if (!this.isInTransaction) return
    try {
      this.run('commit')
    } catch {
      // Fails after a read of a damaged page, for which that request has got the error.
      if (this.isInTransaction) this.run('rollback')
    }
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
 * Reads of one turn of the event loop share a transaction. Otherwise each statement would check for a newer state and
 * take and release a lock: three system calls, which cost as much as reading a message. A commit of this process ends
 * the transaction, so each read still sees everything that was committed before it.
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

  /** Ends the transaction of the reads, so that the next statement sees everything that is committed by then. */
  letGo(): void {
    if (!this.#isHolding) return
    this.#isHolding = false
    this.endReads()
  }

  #hold(): void {
    if (this.#isHolding) return
    // If a failed commit left a transaction open, it is used in this turn and then ended. Otherwise reads would see its
    // moment forever.
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

  /** @param disk undefined if a commit does not wait for the disk */
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

  /** Waits for other writers of the file (a checkpoint, a tool of the operator), while others are served. */
  async begin(): Promise<void> {
    await this.#checkpoints.room(this.#disk?.isDoubtful)
    if (!this.#isPatient) {
      // Otherwise SQLite would block the whole process.
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
  /** @returns false if somebody else writes and there is time left */
  #tryBegin(hasTime: boolean): boolean {
    try {
      this.run('begin immediate')
    } catch (err) {
      // This also happens if another process recovers the database.
      if (hasTime && String((err as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return false
      throw err
    }
    this.#hasBegun = true
    return true
  }
  /**
   * After a failure it is unknown which pages of the log are on disk. If one is missing, everything after it would be
   * lost, even if it was acknowledged. This writes all pages to the database file, from memory, where the kernel still
   * has them.
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
  /** Resolves when the writes are on disk, as far as `synchronous` demands. Others may read them before that. */
  async commit(): Promise<void> {
    // Called before the commit, because the steps after the commit may restart the log, which is impossible while
    // somebody reads it.
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
 * Makes SQLite plan the statement only once. SQLite built with STAT4 plans again at every call if the plan may depend
 * on a bound value: reading a message takes 50 µs instead of 3. `+?` is the same value, but the planner ignores it.
 */
function planned(sql: string): string {
  return sql.replaceAll('?', '+?')
}

/**
 * Syncs the write-ahead log of a database file outside of the event loop. With `synchronous` FULL SQLite would do so in
 * each commit, and everybody would wait for a busy disk (SEC-LOOP-7).
 */
class LogOnDisk {
  /** Whether a sync has failed and is not repaired yet. */
  isDoubtful = false
  readonly #file: string
  #handle: FileHandle | undefined

  /** @param file of the database itself, not a link to it: SQLite's log is beside the file */
  constructor(file: string) {
    this.#file = `${file}-wal`
  }

  /**
   * Call it in a transaction, because by then SQLite has created the file, which it keeps until the last connection
   * closes.
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

/** Returns a Knex whose queries run as statements of this handle, in whatever transaction is open there. */
function knexOn(prepare: (sql: string) => Sqlite.Statement): Knex {
  const knex = knexFactory({ client: 'better-sqlite3', useNullAsDefault: true, compileSqlOnError: false })
  // All methods that Knex needs of a connection. With its own connection, Knex prepares each query again, and only the
  // garbage collector releases the memory.
  knex.client.acquireConnection = () => Promise.resolve({ prepare })
  knex.client.releaseConnection = () => Promise.resolve()
  return knex
}

/**
 * Creates a missing file with access for its owner alone, in any folder; SQLite gives its other files the same mode.
 */
export function makeClosed(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/** @throws {UnusableDatabaseError} if the file has tables of something else, before anything in it is changed */
export function refuseForeign(file: string): void {
  if (!existsSync(file)) return
  const handle = new Sqlite(file, { readonly: true })
  try {
    const tables = handle.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    if (tables.length > 0 && !tables.includes('migration')) throw new UnusableDatabaseError(FOREIGN)
  } finally {
    handle.close()
  }
}

/**
 * Opens the database file, creating it if needed. One handle writes. Another one only reads, so that readers do not
 * wait for a long transaction. A third one serves snapshots, one at a time, so that ordinary reads never see the past
 * of an open snapshot.
 */
export function openSqlite(file: string, synchronous: Synchronous): Engine {
  makeClosed(file)
  const writerHandle = new Sqlite(file)
  writerHandle.pragma('journal_mode = WAL')
  // In NORMAL a commit does not wait for the disk, but a restart of the log and a checkpoint do.
  writerHandle.pragma(`synchronous = ${synchronous === 'OFF' ? 'OFF' : 'NORMAL'}`)
  writerHandle.pragma('foreign_keys = ON')
  writerHandle.pragma('cache_size = -16000')
  // `message_search_terms`: the indexed words, and how many messages contain each.
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
    // A snapshot reads most pages once; the kernel caches the others.
    snapshotHandle ??= openReader(4000)
    snapshotSession ??= new SqliteSession(snapshotHandle)
    const session = snapshotSession
    session.run('begin')
    try {
      return await work(session)
    } finally {
      session.endReads()
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
