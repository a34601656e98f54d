import type { Database } from '../db/database.ts'
import type { UserId } from '../domain/ids.ts'
import { AlertWordIndex } from '../domain/users/alert-words.ts'

/** Alert words of all users in memory, loaded from the table and kept up to date by the log. */
export class AlertWords {
  readonly #db: Database
  readonly #index = new AlertWordIndex()

  constructor(db: Database) {
    this.#db = db
  }

  async start(): Promise<void> {
    const changed = new Set<UserId>()
    this.#db.onCommitted((events) => {
      for (const { event, audience } of events) {
        if (event.type !== 'alert_words' || audience.to !== 'users') continue
        for (const userId of audience.userIds) {
          changed.add(userId)
          this.#index.set(userId, event.alert_words)
        }
      }
    })
    for (const [userId, words] of await this.#db.read.alertWords.all()) {
      // The rows that were read may be older than changes that another process has announced meanwhile.
      if (!changed.has(userId)) this.#index.set(userId, words)
    }
  }

  /** Returns the users whom a message with this rendered content alerts, if they receive it, by ascending ID. */
  usersIn(html: string): UserId[] {
    return this.#index.usersIn(html)
  }
}
