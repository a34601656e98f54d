import type { Tx } from '../db/repositories.ts'
import type { UserId } from '../domain/ids.ts'
import type { LogEvent } from '../domain/log-event.ts'

/** Tells the clients of `userId`, and nobody else. */
export function tellSelf(tx: Pick<Tx, 'events'>, userId: UserId, event: LogEvent): void {
  tx.events.append(event, { to: 'users', userIds: [userId] })
}
