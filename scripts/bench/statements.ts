import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

export interface StatementInput {
  /** The database of the measured server; read only. */
  readonly file: string
  readonly messageId: number
}

/** How many times a second SQLite alone does it, in a loop without HTTP. */
export interface StatementResult {
  readonly readOne: number
  readonly readNewest100: number
  readonly insert: { readonly FULL: SharedCommit; readonly NORMAL: SharedCommit }
}

interface SharedCommit {
  /** Rows a second: one in each transaction, and 16 in each. */
  readonly alone: number
  readonly by16: number
}

const MEASURE_MS = 1000

/** Measures the message table alone: no server in front of this database can be faster. */
export async function measureStatements({ file, messageId }: StatementInput): Promise<StatementResult> {
  const source = new Sqlite(file, { readonly: true })
  const readOne = source.prepare('select * from message where id = ?')
  const readNewest = source.prepare('select * from message order by id desc limit 100')
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  try {
    return {
      readOne: perSecond(() => readOne.get(messageId)),
      readNewest100: perSecond(() => readNewest.all()),
      insert: {
        FULL: inserts(source, folder, messageId, 'FULL'),
        NORMAL: inserts(source, folder, messageId, 'NORMAL'),
      },
    }
  } finally {
    source.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Inserts into an empty table with the same columns and indexes. */
function inserts(
  source: Sqlite.Database,
  folder: string,
  messageId: number,
  synchronous: 'FULL' | 'NORMAL',
): SharedCommit {
  const target = new Sqlite(join(folder, `${synchronous}.sqlite`))
  target.pragma('journal_mode = WAL')
  target.pragma(`synchronous = ${synchronous}`)
  const shapes = source.prepare(
    "select sql from sqlite_master where tbl_name = 'message' and sql is not null order by rootpage",
  )
  for (const { sql } of shapes.all() as { sql: string }[]) target.exec(sql)
  const row = source.prepare('select * from message where id = ?').get(messageId) as Record<string, unknown>
  const columns = Object.keys(row)
  const statement = target.prepare(
    `insert into message (${columns.join(', ')}) values (${columns.map((column) => `@${column}`).join(', ')})`,
  )
  let id = 0
  const insert = (): void => {
    id += 1
    statement.run({ ...row, id })
  }
  const insert16 = target.transaction(() => {
    for (let count = 0; count < 16; count += 1) insert()
  })
  const result = { alone: perSecond(insert), by16: perSecond(insert16) * 16 }
  target.close()
  return result
}

/** Measures after a warm-up. */
function perSecond(once: () => unknown): number {
  countFor(MEASURE_MS / 4, once)
  return countFor(MEASURE_MS, once)
}

function countFor(milliseconds: number, once: () => unknown): number {
  const start = performance.now()
  let count = 0
  let elapsed = 0
  while (elapsed < milliseconds) {
    for (let index = 0; index < 10; index += 1) once()
    count += 10
    elapsed = performance.now() - start
  }
  return (count * 1000) / elapsed
}
