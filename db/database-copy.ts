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
  copy(folder: string, tell: Tell): Promise<DatabaseCopy>
  isEmpty(): Promise<boolean>
  restore(folder: string, copy: DatabaseCopy, tell: Tell): Promise<void>
  check(tell: Tell): Promise<DatabaseReport>
}
