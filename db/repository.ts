import type { Session } from './session.ts'

/** What answers about one noun: rows come from its session, of now, of a transaction, or of a moment. */
export abstract class Repository {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}
