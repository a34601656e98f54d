import Sqlite from 'better-sqlite3'

/**
 * Holds a file for one process. The lock is SQLite's, on a database of no content: the system frees it however the
 * process dies, so no stale lock can keep the next start out; and the same process cannot take it twice.
 */
export class FileLock {
  readonly #handle: Sqlite.Database

  private constructor(handle: Sqlite.Database) {
    this.#handle = handle
  }

  /** Undefined when another holds it. */
  static take(file: string): FileLock | undefined {
    const handle = new Sqlite(file, { timeout: 0 })
    try {
      handle.pragma('journal_mode = MEMORY')
      handle.exec('begin exclusive')
      return new FileLock(handle)
    } catch (err) {
      handle.close()
      if ((err as { code?: string }).code === 'SQLITE_BUSY') return undefined
      throw err
    }
  }

  release(): void {
    this.#handle.close()
  }
}
