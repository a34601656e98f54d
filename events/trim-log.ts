import type { Database } from '../db/database.ts'
import type { EventQueues } from './queues.ts'

/** Everybody's writes wait behind a transaction, so it deletes no more events than these. */
const EVENTS_A_TRANSACTION = 500
/** A run deletes no more than so many times; the rest is for the next one, and stopping does not wait for long. */
const TRANSACTIONS_A_RUN = 200

/**
 * Deletes the events that every queue has acknowledged, oldest first. What counts is the position that is stored: a
 * process that takes up the queues after a crash finds everything after it. Returns how many events it has deleted.
 */
export async function trimLog(db: Database, queues: EventQueues): Promise<number> {
  await queues.storeCursors()
  // In this order: a queue whose row comes after the second look reads its state after that, beyond this head.
  const head = queues.position
  const upTo = Math.min(head, (await db.read.queues.lowestPosition()) ?? head)
  let deleted = 0
  for (let turn = 0; turn < TRANSACTIONS_A_RUN; turn += 1) {
    const changes = await db.transaction((tx) => tx.events.deleteOldest(upTo, EVENTS_A_TRANSACTION))
    deleted += changes
    if (changes < EVENTS_A_TRANSACTION) break
  }
  return deleted
}
