import type { Session } from '../session.ts'

/** Who reacted to which message with what. */
export class ReactionReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class ReactionWriter extends ReactionReader {}
