import type { LogEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import type { ParkedPoll } from './parked-poll.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'

/** The caller who polls a queue, and the number of the key used. */
export interface Poller {
  readonly id: UserId
  readonly keyVersion: number
}

/** A cursor over the log, and the poll parked on it. */
export interface Queue {
  readonly id: string
  /** The owner, whose role and subscriptions at each event's position decide what the queue shows. */
  readonly userId: UserId
  readonly descriptor: QueueDescriptor
  readonly startEventId: number
  readonly idleTimeoutSeconds: number
  /** Everything up to this event was acknowledged and is never delivered again (EVENTS-3). */
  acknowledged: number
  /** When the last call came, or the last poll stopped waiting, on the monotonic clock. */
  lastSeenMs: number
  /** Whether `acknowledged` or `lastSeenMs` differ from what is stored. */
  isChanged: boolean
  parked: { readonly poll: ParkedPoll; heartbeatAtMs: number; scannedTo: number } | undefined
}

/** Returns the account that the event says was deactivated. */
export function deactivatedBy(event: LogEvent): UserId | undefined {
  if (event.type !== 'realm_user' || event.op !== 'update') return undefined
  const { person } = event
  return 'is_active' in person && !person.is_active ? (person.user_id as UserId) : undefined
}
