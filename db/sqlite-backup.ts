import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { DatabaseCopy, DatabaseReport, Tell } from './database-copy.ts'
import { makeClosed } from './sqlite.ts'
import { UnusableDatabaseError } from './unusable.ts'

const FILE = 'parley.sqlite'
/** Pages copied between two progress reports: 8 MiB. */
const PAGES = 2048
/** Tables that a restore empties, because waiting clients know events that no longer exist. */
const LEFT_BEHIND = ['event_queue', 'job_lease'] as const

/** Copies a SQLite file. Readers and the writer go on: the write-ahead log keeps their changes meanwhile. */
export class SqliteCopier {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Copies the state at one moment into `folder`. */
  async copy(folder: string, tell: Tell): Promise<DatabaseCopy> {
    const source = this.#open()
    try {
      // Because of the transaction, the copy is from one moment. Without it, each commit of the server would restart
      // the copy.
      source.exec('begin')
      const position = numberOf(source, 'select last_event_id from log_head where id = 1')
      const migration = String(source.prepare('select name from migration order by id desc limit 1').pluck().get())
      const file = join(folder, FILE)
      makeClosed(file)
      let told = 0
      await source.backup(file, {
        progress({ totalPages, remainingPages }) {
          const percent = totalPages === 0 ? 0 : Math.floor((100 * (totalPages - remainingPages)) / totalPages)
          if (percent >= told + 10) tell(`database: ${percent} %`)
          told = Math.max(told, percent - (percent % 10))
          return PAGES
        },
      })
      source.exec('commit')
      wholeInOneFile(file)
      tell('database: checking')
      refuseDamaged(file)
      await toDisk(file)
      return { file: FILE, migration, position }
    } finally {
      source.close()
    }
  }

  /**
   * Restores a copy where there is no database. Only the last step makes it one that a server would start with, so a
   * killed restore leaves no database.
   */
  async restore(folder: string, copy: DatabaseCopy, tell: Tell): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
    const unfinished = `${this.#file}.new`
    await removeDatabase(unfinished)
    const source = new Sqlite(join(folder, copy.file), { readonly: true, fileMustExist: true })
    try {
      tell('database: copying')
      makeClosed(unfinished)
      await source.backup(unfinished)
    } finally {
      source.close()
    }
    const restored = new Sqlite(unfinished)
    try {
      tell('database: checking')
      const [problem] = problemsOf(restored)
      if (problem !== undefined) throw new UnusableDatabaseError(`The backup is damaged: ${problem}`)
      for (const table of LEFT_BEHIND) restored.exec(`delete from ${table}`)
    } finally {
      restored.close()
    }
    await putInPlace(unfinished, this.#file)
  }

  check(tell: Tell): DatabaseReport {
    const source = this.#open()
    try {
      source.exec('begin')
      tell('database: reading all pages')
      const problems = problemsOf(source)
      const files = source.prepare('select path_id as pathId, size from attachment').all()
      return { problems, files: files as DatabaseReport['files'] }
    } finally {
      source.close()
    }
  }

  /** @throws {UnusableDatabaseError} if there is no organization: its empty backup would push good ones out */
  #open(): Sqlite.Database {
    try {
      const handle = new Sqlite(this.#file, { readonly: true, fileMustExist: true })
      if (handle.prepare('select 1 from organization').get() !== undefined) return handle
      handle.close()
    } catch (err) {
      throw new UnusableDatabaseError(`The database file ${this.#file} cannot be read: ${(err as Error).message}`)
    }
    throw new UnusableDatabaseError(`The database file ${this.#file} has no organization`)
  }
}

/** Removes a database with everything beside it. */
export async function removeDatabase(file: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm', '-journal']) await rm(`${file}${ending}`, { force: true })
}

/** Puts a complete database in the place of `whole`, whose leftover log SQLite would otherwise apply to it. */
export async function putInPlace(unfinished: string, whole: string): Promise<void> {
  wholeInOneFile(unfinished)
  await toDisk(unfinished)
  await removeDatabase(whole)
  await rename(unfinished, whole)
  await toDisk(dirname(whole))
}

/** Changes the journal mode, so that opening the file, even to read, creates no file beside it. */
function wholeInOneFile(file: string): void {
  const handle = new Sqlite(file)
  handle.pragma('journal_mode = DELETE')
  handle.close()
}

/** Pages are copied unread, and a damaged copy would replace good ones. @throws {UnusableDatabaseError} */
function refuseDamaged(file: string): void {
  const handle = new Sqlite(file, { readonly: true })
  const problem = handle.pragma('quick_check(1)', { simple: true })
  handle.close()
  if (problem !== 'ok') throw new UnusableDatabaseError(`The database is damaged: ${problem}`)
}

function problemsOf(handle: Sqlite.Database): string[] {
  const rows = handle.pragma('integrity_check(20)') as { integrity_check: string }[]
  const damages = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
  const strays = handle.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[]
  const missing = strays
    .slice(0, 20)
    .map(({ table, rowid, parent }) => `row ${rowid} of ${table} names a row of ${parent} that is not there`)
  const head = numberOf(handle, 'select last_event_id from log_head where id = 1')
  const last = numberOf(handle, 'select coalesce(max(id), 0) from event')
  return [...damages, ...missing, ...(last > head ? [`the log has event ${last} behind its head ${head}`] : [])]
}

function numberOf(handle: Sqlite.Database, sql: string): number {
  return Number(handle.prepare(sql).pluck().get())
}

async function toDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync()
  await file.close()
}
