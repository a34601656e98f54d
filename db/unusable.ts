/** The database cannot be served as it is; the message says in one sentence why and what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}

export const FOREIGN =
  'DATABASE_URL names a database with tables of something else: give Parley an empty one of its own'
