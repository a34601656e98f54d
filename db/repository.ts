import type { Session } from './session.ts'

/** Queries about one noun on a session: of now, of a transaction, or of a snapshot. */
export abstract class Repository {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}
