import type { Database } from '../db/database.ts'
import type { EventQueues } from './queues.ts'

/** Everybody's writes wait behind a transaction, so it deletes no more than this. */
const EVENTS_A_TRANSACTION = 500
const BYTES_A_TRANSACTION = 8 * 2 ** 20

/**
 * Deletes the events that every queue has acknowledged, oldest first. What counts is the position that is stored: a
 * process that takes up the queues after a crash finds everything after it. Returns how many events it has deleted.
 * @param keeps from which event on somebody else needs the log
 * @param signal ends it after the transaction under way; the rest is done at a later turn
 */
export async function trimLog(
  db: Pick<Database, 'read' | 'transaction'>,
  queues: EventQueues,
  signal?: AbortSignal,
  keeps: () => Promise<number | undefined> = async () => undefined,
): Promise<number> {
  await queues.storeCursors()
  // In this order: a queue whose row comes after the second look reads its state after that, beyond this head.
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
