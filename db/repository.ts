import type { Session } from './session.ts'

/** Queries about one noun on a session, which sees the present state, a transaction, or a snapshot. */
export abstract class Repository {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}
