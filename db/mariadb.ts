import type { Socket } from 'node:net'
import knexFactory, { type Knex } from 'knex'
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2'
import type { Engine, RunResult, Session, SqlValue, WriterSession } from './session.ts'
import { silenceError } from './time-limit.ts'
import { UnusableDatabaseError } from './unusable.ts'

interface Connections {
  acquire(): Promise<Connection>
  release(connection: Connection): Promise<void>
}

type Use = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

function command(connection: Connection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => connection.query(sql, (err) => (err ? reject(err) : resolve())))
}

/** Runs one prepared statement. Integers are sent as integers: mysql2 would send a double, which LIMIT refuses. */
function execute(connection: Connection, sql: string, params: readonly SqlValue[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const values = params.map((value) => (typeof value === 'number' ? String(value) : value))
    connection.execute(sql, values as never[], (err, result) => {
      if (params.length > KEPT_PARAMETERS) connection.unprepare(sql)
      if (err) reject(err)
      else resolve(result)
    })
  })
}

function useOf(connections: Connections): Use {
  return async (work) => {
    const connection = await connections.acquire()
    try {
      return await work(connection)
    } finally {
      await connections.release(connection)
    }
  }
}

/** Provides a single connection, which needs no pool. */
function singleConnection(acquire: () => Promise<Connection>): Connections {
  return { acquire, release: () => Promise.resolve() }
}

/** Returns a Knex whose queries run on these connections, and so in their open transaction. */
function knexOn(connections: Connections): Knex {
  const knex = knexFactory({ client: 'mysql2', compileSqlOnError: false })
  knex.client.acquireConnection = () => connections.acquire()
  knex.client.releaseConnection = (connection: Connection) => connections.release(connection)
  return knex
}

async function prepare(connection: Connection, isolation: 'read committed' | 'repeatable read'): Promise<void> {
  await command(connection, `set session transaction isolation level ${isolation}`)
  // Without autocommit, a reader would see what there was at its first read.
  await command(connection, "set session sql_mode = 'STRICT_ALL_TABLES', autocommit = 1")
  // In a Galera cluster, reads wait for what other nodes have committed. MariaDB without Galera lacks the variable.
  await command(connection, 'set session wsrep_sync_wait = 1').catch(() => undefined)
}

/** @throws {UnusableDatabaseError} if `version` is not that of a MariaDB that is new enough */
export function requireMariaDb(version: string): void {
  const [, major, minor] = /^(\d+)\.(\d+).*mariadb/i.exec(version) ?? []
  if (Number(major) * 1000 + Number(minor) >= OLDEST) return
  throw new UnusableDatabaseError(`The database of DATABASE_URL is ${version}: Parley needs MariaDB 10.11 or newer`)
}

async function requireVersion(connection: Connection): Promise<void> {
  const [row] = (await execute(connection, 'select version() as version', [])) as { version: string }[]
  try {
    requireMariaDb(row?.version ?? '')
  } catch (err) {
    connection.destroy()
    throw err
  }
}

/** Required because leases and idle queues depend on the time in the rows. */
async function requireSameTime(connection: Connection): Promise<void> {
  const [row] = (await execute(connection, 'select unix_timestamp() as seconds', [])) as { seconds: number }[]
  const difference = Math.abs(Number(row?.seconds) - Date.now() / 1000)
  if (difference <= CLOCK_DIFFERENCE_SECONDS) return
  connection.destroy()
  throw new UnusableDatabaseError(
    `The clock of the database of DATABASE_URL differs from this machine's by ${Math.round(difference)} s: set both`,
  )
}

/**
 * Locks the database for at most as long as the connection lasts. The database releases the lock no matter how the
 * process dies.
 */
async function claim(connection: Connection): Promise<void> {
  const [row] = (await execute(connection, "select get_lock(concat('parley ', database()), ?) as taken", [
    CLAIM_SECONDS,
  ])) as { taken: number | null }[]
  if (row?.taken === 1) return
  connection.destroy()
  throw new UnusableDatabaseError('Another Parley makes or changes the database of DATABASE_URL: wait until it is done')
}

class MariaDbSession implements Session {
  readonly dialect = 'mariadb'
  readonly #makeKnex: () => Knex
  readonly #use: Use
  #knex: Knex | undefined

  constructor(makeKnex: () => Knex, use: Use) {
    this.#makeKnex = makeKnex
    this.#use = use
  }

  /** Created on demand, because that takes as long as a statement. */
  get knex(): Knex {
    this.#knex ??= this.#makeKnex()
    return this.#knex
  }

  async all<Row>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.#use((connection) => execute(connection, sql, params))) as Row[] & RowDataPacket[]
  }

  async get<Row>(sql: string, params: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0]
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<RunResult> {
    const result = (await this.#use((connection) => execute(connection, sql, params))) as ResultSetHeader
    return { changes: result.affectedRows, insertId: result.insertId }
  }
}

function sessionOn(connections: Connections): Session {
  return new MariaDbSession(() => knexOn(connections), useOf(connections))
}

/**
 * The one connection that writes. It does not use the database's savepoints: where several nodes of a Galera cluster
 * write, rows that were undone by `rollback to savepoint` may be committed all the same. Most bodies fail before they
 * have written anything, so that there is nothing to undo.
 */
class MariaDbWriterSession extends MariaDbSession implements WriterSession {
  #mayHaveWritten = false
  readonly #connect: () => Promise<void>
  readonly #disconnect: () => void
  readonly #command: (sql: string) => Promise<void>

  /** @param connect connects unless there is a connection */
  constructor(makeKnex: () => Knex, connect: () => Promise<void>, disconnect: () => void, use: Use) {
    super(makeKnex, use)
    this.#connect = connect
    this.#disconnect = disconnect
    this.#command = (sql) => use((connection) => command(connection, sql))
  }

  async begin(): Promise<void> {
    await this.#connect()
    await this.#command('start transaction')
  }
  commit(): Promise<void> {
    return this.#command('commit')
  }
  async rollback(): Promise<void> {
    try {
      await this.#command('rollback')
    } catch (err) {
      this.#disconnect()
      throw err
    }
  }
  savepoint(): void {
    this.#mayHaveWritten = false
  }
  releaseSavepoint(): void {}
  rollbackToSavepoint(): void {
    if (this.#mayHaveWritten) throw new Error('a body failed after it had written')
  }

  override get knex(): Knex {
    this.#mayHaveWritten = true
    return super.knex
  }
  override async run(sql: string, params?: readonly SqlValue[]): Promise<RunResult> {
    const result = await super.run(sql, params)
    if (result.changes > 0) this.#mayHaveWritten = true
    return result
  }
}

/**
 * Number of frequently used statements that one connection keeps prepared. The database has room for some 16,000 of all
 * connections (max_prepared_stmt_count).
 */
const STATEMENTS_A_CONNECTION = 200
/**
 * Statements with more parameters contain lists, which differ each time, and take some 300 bytes a parameter: 15 MiB for
 * a connection that keeps only lists of this length. A page of 100 messages needs fewer.
 */
const KEPT_PARAMETERS = 256

/**
 * Longer than a statement waits for a lock. Without a limit, statements to a host that lost its power would wait for up
 * to two hours.
 */
const SILENT_MS = 60_000

/** Closes a connection on which a statement is not answered, so that the statement fails and another one is opened. */
function limitSilence(connection: Connection): void {
  // mysql2 does not describe these.
  const inside = connection as Connection & { readonly stream: Socket; readonly _command?: unknown }
  inside.stream.setTimeout(SILENT_MS, () => {
    if (!inside._command) return // nothing is asked, as between two statements of an export
    inside.stream.destroy(silenceError(SILENT_MS))
  })
}

/** Number of connections of all readers together. */
const CONNECTIONS = 8

/** How long a process waits until another one has started, or until the database notices that it is gone. */
const CLAIM_SECONDS = 60
/** 10.11, which the tests run with; `json_table` exists since 10.6. */
const OLDEST = 10_011
const CLOCK_DIFFERENCE_SECONDS = 5
/** Longer than any process needs between two statements of a transaction. */
const PAUSED_SECONDS = 30
/**
 * After this wait for a lock the write queue tries again, up to ten times. `flush tables with read lock` waits for a
 * writer that waits for the log, and the writer that has the log waits for the flush; MariaDB does not notice this
 * deadlock, and ends it after 50 s by default.
 */
const LOCK_WAIT_SECONDS = 5

/**
 * Connects to `mysql://user:password@host:port/database`. Readers share a pool; the writer keeps one connection.
 *
 * @param isExclusive whether the writer's connection locks the database until `share`
 * @throws {UnusableDatabaseError} if another process has locked it
 */
export async function openMariaDb(url: string, isExclusive: boolean): Promise<Engine> {
  const { default: mysql } = await import('mysql2')
  const connectionOptions = {
    uri: url,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    flags: ['FOUND_ROWS'],
    maxPreparedStatements: STATEMENTS_A_CONNECTION,
  }
  const prepareConnection = (raw: unknown, done: (err: Error | null, raw: unknown) => void): void => {
    limitSilence(raw as Connection)
    prepare(raw as Connection, 'repeatable read').then(
      () => done(null, raw),
      (err: Error) => done(err, raw),
    )
  }
  const pool = knexFactory({
    client: 'mysql2',
    connection: connectionOptions,
    compileSqlOnError: false, // errors are logged, and the values are private
    pool: { min: 0, max: CONNECTIONS, afterCreate: prepareConnection },
    log: { warn: () => undefined }, // Knex prints lost connections; who needs one gets the error
  })
  const pooled: Connections = {
    acquire: () => pool.client.acquireConnection(),
    release: (connection) => pool.client.releaseConnection(connection),
  }
  const usePool = useOf(pooled)

  // A broken connection is replaced only at the start of a batch: in the middle, its statements must fail with it.
  let writerConnection: Connection | undefined
  let isLocked = isExclusive
  const disconnectWriter = (): void => {
    writerConnection?.destroy()
    writerConnection = undefined
  }
  const connectWriter = async (): Promise<void> => {
    if (writerConnection) return
    const connection = mysql.createConnection(connectionOptions as never)
    const forget = (): void => {
      if (writerConnection === connection) writerConnection = undefined
    }
    connection.on('error', forget)
    connection.on('end', forget)
    if (isLocked) await requireVersion(connection)
    // A writer that waited for a lock sees what was committed meanwhile.
    await prepare(connection, 'read committed')
    // A paused process would keep the log locked.
    await command(connection, `set session idle_transaction_timeout = ${PAUSED_SECONDS}`)
    await command(connection, `set session innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`)
    if (isLocked) {
      await requireSameTime(connection)
      await claim(connection)
    } else limitSilence(connection)
    writerConnection = connection
  }
  const heldWriter = async (): Promise<Connection> => {
    if (writerConnection) return writerConnection
    throw Object.assign(new Error('the writing connection is lost'), { fatal: true }) // as in errors of mysql2
  }
  await connectWriter()
  const writing = singleConnection(heldWriter)
  const writer = new MariaDbWriterSession(() => knexOn(writing), connectWriter, disconnectWriter, useOf(writing))

  return {
    dialect: 'mariadb',
    reader: new MariaDbSession(() => pool, usePool),
    writer,
    snapshot: (work) =>
      usePool(async (connection) => {
        await command(connection, 'start transaction with consistent snapshot, read only')
        try {
          return await work(sessionOn(singleConnection(() => Promise.resolve(connection))))
        } finally {
          await command(connection, 'commit')
        }
      }),
    async share() {
      isLocked = false
      if (writerConnection) limitSilence(writerConnection) // not before, because migrations may take longer
      await writer.run("do release_lock(concat('parley ', database()))")
    },
    async close() {
      await pool.destroy()
      await new Promise<void>((resolve) => (writerConnection ? writerConnection.end(() => resolve()) : resolve()))
    },
  }
}
