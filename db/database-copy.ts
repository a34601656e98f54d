/** Reports the progress of long work as text. */
export type Tell = (sentence: string) => void

/** A copy of the database at one position of the log. */
export interface DatabaseCopy {
  readonly dialect: 'sqlite' | 'mariadb'
  /** File in the folder of the backup. */
  readonly file: string
  /** Name of the newest migration applied to the tables. */
  readonly migration: string
  /** ID of the last event. */
  readonly position: number
}

/** Tables that a restore drops, because waiting clients know events that no longer exist. */
export const LEFT_BEHIND = ['event_queue', 'job_lease'] as const

export interface DatabaseReport {
  readonly problems: readonly string[]
  /** Path IDs and sizes of the uploaded files that the database knows. */
  readonly files: readonly { readonly pathId: string; readonly size: number }[]
}

/** Operations that differ between the kinds of database. */
export interface DatabaseCopier {
  /** Copies the state at one moment into `folder`. This and other processes can go on using the database. */
  copy(folder: string, tell: Tell): Promise<DatabaseCopy>
  /** Whether the place to which a database should be restored has none, or only what a killed restore left. */
  isEmpty(): Promise<boolean>
  /**
   * Restores a copy to an empty place. Only the last step makes it a database that a server would start with, so a
   * killed restore leaves no database.
   */
  restore(folder: string, copy: DatabaseCopy, tell: Tell): Promise<void>
  /** Returns the problems that the database's own checks and ours find; empty if there are none. Writes nothing. */
  check(tell: Tell): Promise<DatabaseReport>
}
