import Sqlite from 'better-sqlite3'

/**
 * Locks a file for one process. The lock is SQLite's, on an empty database: the system releases it no matter how the
 * process dies, so a stale lock cannot block the next start. One process cannot take it twice.
 */
export class FileLock {
  readonly #handle: Sqlite.Database

  private constructor(handle: Sqlite.Database) {
    this.#handle = handle
  }

  /** Returns undefined if another process has locked it. */
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
