import type { Session } from '../session.ts'

/** Groups of users: those of the system, and those that people make. */
export class UserGroupReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class UserGroupWriter extends UserGroupReader {}
