import type { Session } from '../session.ts'

/** Data that widgets attach to messages: questions, votes, tasks. */
export class SubmessageReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class SubmessageWriter extends SubmessageReader {}
