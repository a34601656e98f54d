import type { Logger } from 'pino'
import type { ReadOnlyDatabase } from '../db/database.ts'
import { QUEUE_COLLECTION_SECONDS } from '../domain/limits.ts'
import type { EventQueues } from '../events/queues.ts'
import { endQueuesBehind } from '../events/queues-behind.ts'
import { trimLog } from '../events/trim-log.ts'
import type { Job, OwnJob } from './runner.ts'

/** Called with the number of ended queues and the reason. */
export type OnEnded = (reason: 'idle' | 'behind', count: number) => void

/** Drops event queues that were idle for too long. */
export function expireQueues(queues: EventQueues, log: Logger, onEnded: OnEnded): OwnJob {
  return {
    name: 'expire-queues',
    everyMs: QUEUE_COLLECTION_SECONDS * 1000,
    async runHere() {
      const expired = await queues.expire()
      for (const queueId of expired) log.debug({ queueId }, 'event queue expired')
      onEnded('idle', expired.length)
    },
  }
}

/** Stores what clients have acknowledged, so that they get few events twice after a crash. */
export function storeCursors(queues: EventQueues): OwnJob {
  return { name: 'store-cursors', everyMs: 30_000, runHere: () => queues.storeCursors() }
}

/**
 * Deletes events that nobody needs any more, and ends queues that would keep too many.
 *
 * @param readUpTo returns the last event that another reader of the log has read; undefined without another reader
 */
export function trimEventLog(
  db: ReadOnlyDatabase,
  queues: EventQueues,
  log: Logger,
  onEnded: OnEnded,
  readUpTo?: () => Promise<number | undefined>,
): Job {
  // Another process may not have read events committed since the last turn, a minute ago.
  let readByAll = queues.position
  return {
    name: 'trim-event-log',
    everyMs: QUEUE_COLLECTION_SECONDS * 1000,
    async run({ transaction, signal }) {
      const leased = { read: db.read, transaction }
      const behind = await endQueuesBehind(leased, queues)
      for (const one of behind) log.info(one, 'event queue ended: its client is too far behind')
      onEnded('behind', behind.length)
      const readByProcesses = readByAll
      readByAll = queues.position
      const deleted = await trimLog(leased, queues, signal, async () =>
        Math.min(readByProcesses, (await readUpTo?.()) ?? readByProcesses),
      )
      if (deleted > 0) log.debug({ deleted }, 'event log trimmed')
    },
  }
}
