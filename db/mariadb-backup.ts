import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import mysql, { type Connection, type RowDataPacket } from 'mysql2'
import { type DatabaseCopier, type DatabaseCopy, type DatabaseReport, LEFT_BEHIND, type Tell } from './database-copy.ts'
import { UnusableDatabaseError } from './unusable.ts'

const FILE = 'parley.sql'
/** Maximum size of an insert statement, except for a single larger row. Servers accept 16 MiB or more. */
const STATEMENT_CHARACTERS = 512 * 1024
/** The table that makes a database complete: no server starts if this table is empty. */
const LAST_TABLE = 'migration'
const LAST_LINE = 'set foreign_key_checks = 1;'
const BINARY = ['blob', 'tinyblob', 'mediumblob', 'longblob', 'binary', 'varbinary']

/** Returns values in the text form of the database, so that no number passes through a double. */
const AS_WRITTEN = {
  rowsAsArray: true,
  typeCast: (field: { buffer(): Buffer | null }) => field.buffer(),
} as const

/** Copies a database to a file with one statement per line, which `mariadb` can run too. */
export class MariaDbCopier implements DatabaseCopier {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  copy(folder: string, tell: Tell): Promise<DatabaseCopy> {
    return this.#connected(async (connection) => {
      await run(connection, 'set session transaction isolation level repeatable read')
      await run(connection, 'start transaction with consistent snapshot')
      const [head] = await rows<{ position: number }>(
        connection,
        'select last_event_id as position from log_head where id = 1',
      )
      const [newest] = await rows<{ name: string }>(connection, 'select name from migration order by id desc limit 1')
      if (!head || !newest) throw new UnusableDatabaseError('The database of DATABASE_URL holds no organization yet')
      const file = createWriteStream(join(folder, FILE), { mode: 0o600, flush: true })
      const write = async (line: string): Promise<void> => {
        if (!file.write(`${line}\n`)) await once(file, 'drain')
      }
      await write('set foreign_key_checks = 0;')
      await write("set sql_mode = 'STRICT_ALL_TABLES';")
      for (const table of await tablesOf(connection)) {
        tell(`database: ${table}`)
        if (table === LAST_TABLE) for (const left of LEFT_BEHIND) await write(`delete from \`${left}\`;`)
        await dumpTable(connection, table, write)
      }
      await write(LAST_LINE)
      file.end()
      await once(file, 'close')
      await run(connection, 'commit')
      return { dialect: 'mariadb', file: FILE, migration: newest.name, position: Number(head.position) }
    })
  }

  isEmpty(): Promise<boolean> {
    return this.#connected(async (connection) => {
      const tables = await tablesOf(connection)
      if (!tables.includes(LAST_TABLE)) return tables.length === 0
      return (await rows(connection, `select 1 from ${LAST_TABLE} limit 1`)).length === 0
    })
  }

  restore(folder: string, copy: DatabaseCopy, tell: Tell): Promise<void> {
    return this.#connected(async (connection) => {
      const path = join(folder, copy.file)
      let lastTable = ''
      let lastLine = ''
      for await (const line of linesOf(path)) {
        if (createdBy(line) === LAST_TABLE) lastTable = line
        lastLine = line
      }
      if (lastLine !== LAST_LINE) throw new UnusableDatabaseError(`The backup is damaged: ${copy.file} is cut off`)
      await run(connection, 'set autocommit = 0')
      await run(connection, 'set foreign_key_checks = 0')
      for (const table of await tablesOf(connection)) await run(connection, `drop table \`${table}\``)
      // MariaDB commits with each new table. If the restore breaks off, this one is empty, so it can be run again.
      await run(connection, lastTable)
      for await (const line of linesOf(path)) {
        if (line === lastTable) continue
        const table = createdBy(line)
        if (table !== undefined) tell(`database: ${table}`)
        await run(connection, line)
      }
      await run(connection, 'commit')
    })
  }

  check(tell: Tell): Promise<DatabaseReport> {
    return this.#connected(async (connection) => {
      const problems: string[] = []
      for (const table of await tablesOf(connection)) {
        tell(`database: ${table}`)
        const answers = await rows<{ Msg_type: string; Msg_text: string }>(connection, `check table \`${table}\``)
        for (const { Msg_type: type, Msg_text: text } of answers) {
          if (type.toLowerCase() === 'error') problems.push(`${table}: ${text}`)
        }
      }
      const [log] = await rows<{ head: number; last: number }>(
        connection,
        'select last_event_id as head, (select coalesce(max(id), 0) from event) as last from log_head where id = 1',
      )
      if (log && Number(log.last) > Number(log.head)) {
        problems.push(`the log has event ${log.last} behind its head ${log.head}`)
      }
      const files = await rows<{ pathId: string; size: number }>(
        connection,
        'select path_id as pathId, size from attachment',
      )
      return { problems, files: files.map(({ pathId, size }) => ({ pathId, size: Number(size) })) }
    })
  }

  async #connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = mysql.createConnection({ uri: this.#url, charset: 'utf8mb4_bin', timezone: 'Z' })
    connection.on('error', () => undefined) // the statement's caller is told
    try {
      return await work(connection)
    } finally {
      connection.destroy()
    }
  }
}

/** Returns the table that a line creates. */
function createdBy(line: string): string | undefined {
  return /^create table (?:if not exists )?`(\w+)`/i.exec(line)?.[1]
}

/** Order does not matter: foreign keys are not checked during a restore. */
async function tablesOf(connection: Connection): Promise<string[]> {
  const found = await rows<{ name: string }>(
    connection,
    "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' order by table_name",
  )
  const names = found.map(({ name }) => name).filter((name) => name !== LAST_TABLE)
  return names.length === found.length ? names : [...names, LAST_TABLE]
}

async function dumpTable(connection: Connection, table: string, write: (line: string) => Promise<void>): Promise<void> {
  const [created] = await rows<Record<string, string>>(connection, `show create table \`${table}\``)
  // The statement is on one line, because line breaks in defaults and comments are escaped.
  await write(`${(created?.['Create Table'] ?? '').replaceAll('\n', ' ')};`)
  const columns = await rows<{ name: string; type: string; extra: string }>(
    connection,
    `select column_name as name, data_type as type, extra from information_schema.columns
     where table_schema = database() and table_name = ${mysql.escape(table)} order by ordinal_position`,
  )
  const stored = columns.filter(({ extra }) => !/GENERATED/i.test(extra))
  const names = stored.map(({ name }) => `\`${name}\``).join(', ')
  const isBinary = stored.map(({ type }) => BINARY.includes(type.toLowerCase()))
  let batch: string[] = []
  let length = 0
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await write(`insert into \`${table}\` (${names}) values ${batch.join(', ')};`)
    batch = []
    length = 0
  }
  const found = connection.query({ sql: `select ${names} from \`${table}\``, ...AS_WRITTEN } as never).stream()
  for await (const row of found) {
    const values = (row as (Buffer | null)[]).map((value, index) => literal(value, isBinary[index] === true))
    const text = `(${values.join(', ')})`
    if (length + text.length > STATEMENT_CHARACTERS) await flush()
    batch.push(text)
    length += text.length
  }
  await flush()
}

/** Node's readline would also end lines at U+2028 and U+2029, which are not escaped in statements. */
async function* linesOf(path: string): AsyncIterable<string> {
  let parts: string[] = []
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [end = '', ...others] = chunk.split('\n')
    parts.push(end)
    for (const other of others) {
      yield parts.join('')
      parts = [other]
    }
  }
  if (parts.some((part) => part !== '')) yield parts.join('')
}

/** Escapes line breaks, so that each statement is on one line. */
function literal(value: Buffer | null, isBinary: boolean): string {
  if (value === null) return 'null'
  return isBinary ? `x'${value.toString('hex')}'` : mysql.escape(value.toString('utf8'))
}

function run(connection: Connection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => connection.query(sql, (err) => (err ? reject(err) : resolve())))
}

function rows<Row>(connection: Connection, sql: string): Promise<Row[]> {
  return new Promise((resolve, reject) =>
    connection.query<RowDataPacket[]>(sql, (err, result) => (err ? reject(err) : resolve(result as Row[]))),
  )
}
