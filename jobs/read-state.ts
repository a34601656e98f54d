import type { Database } from '../db/database.ts'
import { settleReadState } from '../db/read-state/settle-read-state.ts'
import { blockOf } from '../domain/messages/read-state.ts'
import type { Job } from './runner.ts'

/**
 * Settles what people have read, whenever a block of 4,096 message ids is full: from then on nobody has to work out
 * again what they received there (CONTRIBUTING, "Settled read state"). One transaction settles a few blocks of one
 * user, so that writers wait little.
 */
export function settleReadStates(db: Database): Job {
  let settledBelow = -1
  return {
    name: 'settle-read-states',
    everyMs: 10_000,
    async run(signal) {
      const head = blockOf((await db.read.events.head()).messageId)
      if (head <= settledBelow) return
      for (const { id } of await db.read.users.all()) {
        let isMoreLeft: boolean
        do {
          isMoreLeft = await db.transaction((tx) => settleReadState(tx, id))
          if (signal?.aborted) return
        } while (isMoreLeft)
      }
      settledBelow = head
    },
  }
}
