import type { Database } from '../db/database.ts'
import type { EventQueues } from './queues.ts'

/** Maximum number of events deleted in a transaction, because everybody's writes wait behind it. */
const EVENTS_A_TRANSACTION = 500
const BYTES_A_TRANSACTION = 8 * 2 ** 20

/**
 * Deletes events that every queue has acknowledged, oldest first. Uses stored positions, so that a process that takes
 * over the queues after a crash finds everything after them. Returns how many events were deleted.
 *
 * @param keeps first event that somebody else still needs
 * @param signal stops it after the present transaction; the rest is done later
 */
export async function trimLog(
  db: Pick<Database, 'read' | 'transaction'>,
  queues: EventQueues,
  signal?: AbortSignal,
  keeps: () => Promise<number | undefined> = async () => undefined,
): Promise<number> {
  await queues.storeCursors()
  // In this order: a queue whose row is created after the second look reads its state after that, beyond this head.
  const head = queues.position
  const upTo = Math.min(head, (await db.read.queues.lowestPosition()) ?? head, (await keeps()) ?? head)
  let deleted = 0
  while (signal?.aborted !== true) {
    const changes = await db.transaction((tx) =>
      tx.events.deleteOldest(upTo, EVENTS_A_TRANSACTION, BYTES_A_TRANSACTION),
    )
    if (changes === 0) break
    deleted += changes
  }
  return deleted
}
