/** The database cannot be served as it is; the message says in one sentence why and what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}
