import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { QUEUE_COLLECTION_SECONDS } from '../domain/limits.ts'
import type { EventQueues } from '../events/queues.ts'
import { trimLog } from '../events/trim-log.ts'
import type { Job } from './runner.ts'

/** Drops event queues that nobody polled during their idle time. */
export function expireQueues(queues: EventQueues, log: Logger): Job {
  return {
    name: 'expire-queues',
    everyMs: QUEUE_COLLECTION_SECONDS * 1000,
    async run() {
      for (const queueId of await queues.expire()) log.debug({ queueId }, 'event queue expired')
    },
  }
}

/** Stores what clients have acknowledged, so that a crash makes them see little again. */
export function storeCursors(queues: EventQueues): Job {
  return { name: 'store-cursors', everyMs: 30_000, run: () => queues.storeCursors() }
}

/** Deletes the events that nobody needs any more. */
export function trimEventLog(db: Database, queues: EventQueues, log: Logger): Job {
  return {
    name: 'trim-event-log',
    everyMs: QUEUE_COLLECTION_SECONDS * 1000,
    async run() {
      const deleted = await trimLog(db, queues)
      if (deleted > 0) log.debug({ deleted }, 'event log trimmed')
    },
  }
}
