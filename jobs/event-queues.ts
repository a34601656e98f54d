import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { QUEUE_COLLECTION_SECONDS } from '../domain/limits.ts'
import type { EventQueues } from '../events/queues.ts'
import { endQueuesBehind } from '../events/queues-behind.ts'
import { trimLog } from '../events/trim-log.ts'
import type { Job } from './runner.ts'

/** Is told how many queues ended, and why. */
type OnEnded = (reason: 'idle' | 'behind', count: number) => void

/** Drops event queues that nobody polled during their idle time. */
export function expireQueues(queues: EventQueues, log: Logger, onEnded: OnEnded): Job {
  return {
    name: 'expire-queues',
    everyMs: QUEUE_COLLECTION_SECONDS * 1000,
    async run() {
      const expired = await queues.expire()
      for (const queueId of expired) log.debug({ queueId }, 'event queue expired')
      onEnded('idle', expired.length)
    },
  }
}

/** Stores what clients have acknowledged, so that they see few events again after a crash. */
export function storeCursors(queues: EventQueues): Job {
  return { name: 'store-cursors', everyMs: 30_000, run: () => queues.storeCursors() }
}

/** Deletes the events that nobody needs any more, and ends the queues that would keep too many. */
export function trimEventLog(db: Database, queues: EventQueues, log: Logger, onEnded: OnEnded): Job {
  return {
    name: 'trim-event-log',
    everyMs: QUEUE_COLLECTION_SECONDS * 1000,
    async run(signal) {
      const behind = await endQueuesBehind(db, queues)
      for (const one of behind) log.info(one, 'event queue ended: its client is too far behind')
      onEnded('behind', behind.length)
      const deleted = await trimLog(db, queues, signal)
      if (deleted > 0) log.debug({ deleted }, 'event log trimmed')
    },
  }
}
