import type { ReadOnlyDatabase } from '../db/database.ts'
import { settleReadState } from '../db/read-state/settle-read-state.ts'
import { blockOf } from '../domain/messages/read-state.ts'
import type { Job } from './runner.ts'

/**
 * Settles the read state of users whenever a block of 4,096 message IDs is full, so that the messages they received
 * there need not be computed again (docs/decisions, "Settled read state"). One transaction settles a few blocks of one
 * user, so that writers do not wait long.
 */
export function settleReadStates(db: ReadOnlyDatabase): Job {
  let settledBelow = -1
  const newestBlock = async () => blockOf((await db.read.events.head()).messageId)
  return {
    name: 'settle-read-states',
    everyMs: 10_000,
    isDue: async () => (await newestBlock()) > settledBelow,
    async run({ transaction, signal }) {
      const head = await newestBlock()
      for (const { id } of await db.read.users.all()) {
        let isMoreLeft: boolean
        do {
          isMoreLeft = await transaction((tx) => settleReadState(tx, id))
          if (signal.aborted) return
        } while (isMoreLeft)
      }
      settledBelow = head
    },
  }
}
