import Sqlite from 'better-sqlite3'
import knexFactory, { type Knex } from 'knex'
import type { Engine, RunResult, Session, SqlValue, WriterSession } from './session.ts'

export type Synchronous = 'FULL' | 'NORMAL'

/** `?` statements on one handle, prepared once each. Answers come at once, not as promises. */
class SqliteSession implements WriterSession {
  readonly dialect = 'sqlite'
  readonly knex: Knex
  readonly #handle: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(handle: Sqlite.Database) {
    this.#handle = handle
    this.knex = knexOn(handle)
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

  begin(): void {
    this.run('begin immediate')
  }
  commit(): void {
    this.run('commit')
  }
  rollback(): void {
    // A failed commit (disk full) has rolled back already.
    if (this.#handle.inTransaction) this.run('rollback')
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

  #prepared(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#handle.prepare(planned(sql))
    // Statements whose text varies (lists of placeholders) must not pile up.
    if (this.#statements.size >= 500) this.#statements.clear()
    this.#statements.set(sql, statement)
    return statement
  }
}

/**
 * The same statement, planned once. SQLite (built with STAT4) plans a statement afresh at every call where the plan may
 * depend on a bound value: 50 µs instead of 3 for the message read. `+?` is the same value, but nothing to plan by.
 */
function planned(sql: string): string {
  return sql.replaceAll('?', '+?')
}

/** A Knex whose every query runs on this handle, in whatever transaction is open there. */
function knexOn(handle: Sqlite.Database): Knex {
  const knex = knexFactory({ client: 'better-sqlite3', useNullAsDefault: true, compileSqlOnError: false })
  knex.client.acquireConnection = () => Promise.resolve(handle)
  knex.client.releaseConnection = () => Promise.resolve()
  return knex
}

/**
 * Opens (and makes, when absent) the database file.
 * One handle writes; another only reads, so that a reader does not wait for a long transaction;
 * a third serves snapshots, one at a time, so that ordinary reads never see the past of an open snapshot.
 */
export function openSqlite(file: string, synchronous: Synchronous): Engine {
  const writerHandle = new Sqlite(file)
  writerHandle.pragma('journal_mode = WAL')
  writerHandle.pragma(`synchronous = ${synchronous}`)
  writerHandle.pragma('foreign_keys = ON')
  writerHandle.pragma('cache_size = -16000')
  const openReader = (): Sqlite.Database => {
    const handle = new Sqlite(file)
    handle.pragma('query_only = ON')
    handle.pragma('cache_size = -16000')
    return handle
  }
  const readerHandle = openReader()
  const writer = new SqliteSession(writerHandle)
  const reader = new SqliteSession(readerHandle)

  let snapshotHandle: Sqlite.Database | undefined
  let snapshotSession: SqliteSession | undefined
  let lastSnapshot: Promise<unknown> = Promise.resolve()
  const runSnapshot = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    snapshotHandle ??= openReader()
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
      snapshotHandle?.close()
      readerHandle.close()
      writerHandle.close()
    },
  }
}
