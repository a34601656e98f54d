/** Reports the progress of long work as text. */
export type Tell = (sentence: string) => void

/** A copy of a SQLite database at one position of the log. */
export interface DatabaseCopy {
  /** File in the folder of the backup. */
  readonly file: string
  /** Name of the newest migration applied to the tables. */
  readonly migration: string
  /** ID of the last event. */
  readonly position: number
}

export interface DatabaseReport {
  readonly problems: readonly string[]
  /** Path IDs and sizes of the uploaded files that the database knows. */
  readonly files: readonly { readonly pathId: string; readonly size: number }[]
}
