import type { Session } from '../session.ts'

/** What people say of themselves for now. */
export class UserStatusReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class UserStatusWriter extends UserStatusReader {}
