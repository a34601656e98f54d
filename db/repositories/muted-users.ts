import type { Session } from '../session.ts'

/** Who does not want to see whom. */
export class MutedUserReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class MutedUserWriter extends MutedUserReader {}
