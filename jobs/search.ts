import type { Database } from '../db/database.ts'
import type { Job } from './runner.ts'

/** Messages indexed in one transaction, while writers wait. */
const MESSAGES_A_TURN = 200

/** Updates the index for moved messages, a few at a time. */
export function indexMovedMessages(db: Pick<Database, 'read'>): Job {
  return {
    name: 'index-moved-messages',
    everyMs: 5000,
    isDueAtStart: true,
    isDue: async () => (await db.read.search.pending(1)).length > 0,
    async run({ transaction, signal }) {
      for (let isLast = false; !isLast && !signal.aborted; ) {
        isLast = await transaction(async (tx) => {
          const ids = await tx.search.pending(MESSAGES_A_TURN)
          await tx.search.catchUp(ids)
          return ids.length === 0
        })
      }
    },
  }
}

/** Indexes messages from before the full-text index, newest first; does nothing once that is done. */
export function indexOldMessages(messagesATurn = MESSAGES_A_TURN): Job {
  let isDone = false
  return {
    name: 'index-old-messages',
    everyMs: 10_000,
    isDue: () => Promise.resolve(!isDone),
    async run({ transaction, signal }) {
      while (!isDone) {
        isDone = await transaction(async (tx) => {
          const { messages, isLast } = await tx.search.backlog(messagesATurn)
          for (const [id, texts] of messages) tx.search.replace(id, texts)
          await tx.search.shortenBacklog(isLast ? 0 : Math.min(...messages.keys()) - 1)
          return isLast
        })
        if (signal.aborted) return
      }
    },
  }
}
