import type { Tx } from '../db/repositories.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'

/** Tells the clients of `userId`, and nobody else. */
export function announceToSelf(tx: Pick<Tx, 'events'>, userId: UserId, event: LogEvent): void {
  tx.events.append(event, { to: 'users', userIds: [userId] })
}
