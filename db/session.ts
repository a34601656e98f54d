import type { Knex } from 'knex'

export type SqlValue = string | number | null | Uint8Array
export type Awaitable<T> = T | Promise<T>

export interface RunResult {
  /** Number of rows inserted, updated or deleted. */
  readonly changes: number
  /** ID that the database gave the inserted row; 0 if none. */
  readonly insertId: number
}

/**
 * A connection, or a pool of them, on which statements run. There are two ways to the same rows: `knex` for the schema
 * and ordinary queries (29 µs a query), and prepared statements for hot ones (2 µs on SQLite, where they answer without
 * a promise). Placeholders are `?` on both databases.
 */
export interface Session {
  readonly dialect: 'sqlite' | 'mariadb'
  readonly knex: Knex
  all<Row>(sql: string, params?: readonly SqlValue[]): Awaitable<Row[]>
  get<Row>(sql: string, params?: readonly SqlValue[]): Awaitable<Row | undefined>
  run(sql: string, params?: readonly SqlValue[]): Awaitable<RunResult>
}

/** The one connection that writes. Only the write queue uses it. */
export interface WriterSession extends Session {
  begin(): Awaitable<void>
  commit(): Awaitable<void>
  rollback(): Awaitable<void>
  savepoint(): Awaitable<void>
  releaseSavepoint(): Awaitable<void>
  /** @throws if only `rollback` can undo what was written since */
  rollbackToSavepoint(): Awaitable<void>
}

/** A kind of database; all differences between SQLite and MariaDB are behind this. */
export interface Engine {
  readonly dialect: 'sqlite' | 'mariadb'
  readonly reader: Session
  readonly writer: WriterSession
  /** Runs `work` on one connection that sees one state of the database, however long it takes. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Lets other processes connect. Absent if only one process can ever use the database. */
  share?(): Promise<void>
  close(): Promise<void>
}
