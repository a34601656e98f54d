import type { Database } from '../db/database.ts'
import type { UserId } from '../domain/ids.ts'
import { MAX_BYTES_BEHIND, MAX_EVENTS_BEHIND } from '../domain/limits.ts'
import type { EventQueues } from './queues.ts'

/** Number of queues checked together. */
const QUEUES_A_PAGE = 500

/** How far behind a queue may be. */
interface Limits {
  readonly events: number
  readonly bytes: number
}

const LIMITS: Limits = { events: MAX_EVENTS_BEHIND, bytes: MAX_BYTES_BEHIND }

/** A queue that was ended, and how much of the log its client had not acknowledged. */
export interface QueueBehind {
  readonly queueId: string
  readonly userId: UserId
  readonly events: number
  readonly bytes: number
}

/**
 * Ends queues that are so far behind the head that they would keep too much of the log. An abandoned one would keep all
 * of it for a week. Their clients learn of it when they return (BAD_EVENT_QUEUE_ID), and register again. Uses stored
 * positions, so that queues unknown to this process are checked too.
 */
export async function endQueuesBehind(
  db: Pick<Database, 'read' | 'transaction'>,
  queues: EventQueues,
  limits = LIMITS,
): Promise<QueueBehind[]> {
  await queues.storeCursors()
  const head = queues.position
  const ended: QueueBehind[] = []
  for (;;) {
    const slowest = await db.read.queues.slowest(QUEUES_A_PAGE)
    const behind: QueueBehind[] = []
    for (const { id: queueId, userId, lastEventId } of slowest) {
      const events = head - lastEventId
      const bytes = await db.read.events.bytesAfter(lastEventId)
      if (events <= limits.events && bytes <= limits.bytes) break
      behind.push({ queueId, userId, events, bytes })
    }
    await queues.end(
      behind.map(({ queueId }) => queueId),
      db,
    )
    ended.push(...behind)
    if (behind.length < slowest.length || slowest.length === 0) return ended
  }
}
