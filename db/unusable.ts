/** This database cannot be served as it is; the message, one sentence, says why and what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}
