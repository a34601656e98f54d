import type { Session } from '../session.ts'

/** When people were last active, and last connected. */
export class PresenceReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class PresenceWriter extends PresenceReader {}
