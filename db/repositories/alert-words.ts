import type { Session } from '../session.ts'

/** Words that somebody wants to be alerted by. */
export class AlertWordReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class AlertWordWriter extends AlertWordReader {}
