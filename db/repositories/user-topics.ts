import type { Session } from '../session.ts'

/** Topics that somebody mutes, unmutes or follows. */
export class UserTopicReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class UserTopicWriter extends UserTopicReader {}
