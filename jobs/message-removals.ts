import type { Logger } from 'pino'
import { removeMessages } from '../actions/messages/delete-message.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import { isRemoved, type MessageRemoval } from '../domain/messages/message-removal.ts'
import type { Job } from './runner.ts'

/** Maximum number of messages removed in one transaction, while writers wait. Each is announced to its own audience. */
const MESSAGES_A_TURN = 20
/** Maximum number of messages checked in one transaction. Most of these may stay. */
const LOOKED_AT_A_TURN = 1000

/** Deletes messages of deactivated accounts, if that was requested with the deactivation. */
export function removeMessagesOfAccounts(db: ReadOnlyDatabase, log: Logger): Job {
  return {
    name: 'remove-messages-of-accounts',
    everyMs: 60_000,
    isDueAtStart: true,
    wakesUp: {
      next: async () => {
        const isWaiting = !db.read.organization.isDeactivated && (await db.read.messageRemovals.next())
        return isWaiting ? db.read.organization.now : undefined
      },
      after: ['realm_user', 'realm_reactivated'],
    },
    async run({ transaction, signal }) {
      for (;;) {
        const removal = await db.read.messageRemovals.next()
        if (!removal) return
        let after: number | undefined = 0
        while (after !== undefined) {
          if (signal.aborted || db.read.organization.isDeactivated) return
          const from: number = after
          after = await transaction((tx) => removeSome(tx, removal, from))
        }
        log.info({ userId: removal.userId }, 'messages of a deactivated account are deleted')
      }
    },
  }
}

/** @returns the last message that was handled; undefined if none is left */
async function removeSome(tx: Tx, removal: MessageRemoval, after: number): Promise<number | undefined> {
  const sent = await tx.messageRemovals.sent(removal, after, LOOKED_AT_A_TURN)
  const meant = sent.filter(({ isPrivate }) => isRemoved(removal, isPrivate)).map(({ id }) => id)
  const some = meant.slice(0, MESSAGES_A_TURN)
  await removeMessages(tx, some)
  if (meant.length > some.length) return some.at(-1)
  if (sent.length === LOOKED_AT_A_TURN) return sent.at(-1)?.id
  await tx.messageRemovals.delete(removal.id)
  return undefined
}
