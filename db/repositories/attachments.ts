import type { Session } from '../session.ts'

/** Uploaded files, and the messages that refer to them. */
export class AttachmentReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class AttachmentWriter extends AttachmentReader {}
