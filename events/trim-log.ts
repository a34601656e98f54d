import type { Database } from '../db/database.ts'
import type { EventQueues } from './queues.ts'

/** Maximum number of events deleted in a transaction, because everybody's writes wait behind it. */
const EVENTS_A_TRANSACTION = 500
const BYTES_A_TRANSACTION = 8 * 2 ** 20

/**
 * Deletes events that every queue has acknowledged, oldest first. Uses stored positions, so that a process that takes
 * over the queues after a crash finds everything after them. Returns how many events were deleted.
 *
 * @param signal stops it after the present transaction; the rest is done later
 * @param readUpTo returns the last event that other readers of the log have read; undefined without other readers
 */
export async function trimLog(
  db: Pick<Database, 'read' | 'transaction'>,
  queues: EventQueues,
  signal?: AbortSignal,
  readUpTo: () => Promise<number | undefined> = async () => undefined,
): Promise<number> {
  await queues.storeCursors()
  // In this order: a queue that is created after the second look reads its state later, so it begins after this head.
  const head = queues.position
  const upTo = Math.min(head, (await db.read.queues.lowestPosition()) ?? head, (await readUpTo()) ?? head)
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
