/** Tells whoever waits how far long work has come, in words. */
export type Tell = (sentence: string) => void

/** One position of the log, with everything that was committed up to it. */
export interface DatabaseCopy {
  readonly dialect: 'sqlite' | 'mariadb'
  /** File in the folder of the backup. */
  readonly file: string
  /** Name of the newest migration that the tables have been through. */
  readonly migration: string
  /** Id of the last event. */
  readonly position: number
}

/** What a restored database does not keep: clients that wait for events know of some that are not there any more. */
export const LEFT_BEHIND = ['event_queue', 'job_lease'] as const

export interface DatabaseReport {
  readonly problems: readonly string[]
  /** Of uploaded files that the database knows: path ids and bytes. */
  readonly files: readonly { readonly pathId: string; readonly size: number }[]
}

/** What each kind of database does in its own way. */
export interface DatabaseCopier {
  copy(folder: string, tell: Tell): Promise<DatabaseCopy>
  isEmpty(): Promise<boolean>
  restore(folder: string, copy: DatabaseCopy, tell: Tell): Promise<void>
  check(tell: Tell): Promise<DatabaseReport>
}
