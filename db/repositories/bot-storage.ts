import type { Session } from '../session.ts'

/** What bots keep for themselves between two runs. */
export class BotStorageReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }
}

export class BotStorageWriter extends BotStorageReader {}
