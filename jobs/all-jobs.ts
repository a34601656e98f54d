import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Clock } from '../domain/clock.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import type { AlertWords } from '../events/alert-words.ts'
import type { EventQueues } from '../events/queues.ts'
import type { PushRelay } from '../push/relay.ts'
import type { Rendering } from '../rendering/rendering.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { DiskStore } from '../uploads/disk.ts'
import type { Images } from '../uploads/images.ts'
import { countChannelActivity } from './channel-activity.ts'
import { makeDataExports } from './data-exports.ts'
import { deliverReminders, deliverScheduledMessages } from './deliveries.ts'
import { expireQueues, type OnEnded, storeCursors, trimEventLog } from './event-queues.ts'
import { removeMessagesOfAccounts } from './message-removals.ts'
import { removeOldMessages } from './old-messages.ts'
import { collectOrphanArchives, collectOrphanUploads } from './orphan-uploads.ts'
import { pushNotifications } from './push-notifications.ts'
import { settleReadStates } from './read-state.ts'
import type { Job, OwnJob } from './runner.ts'
import { indexMovedMessages, indexOldMessages } from './search.ts'
import { makeThumbnails } from './thumbnails.ts'
import { removeUnusedFiles } from './unused-files.ts'

interface Given {
  readonly db: Database
  readonly queues: EventQueues
  readonly alertWords: AlertWords
  readonly secrets: Secrets
  readonly site: Site
  readonly clock: Clock
  readonly log: Logger
  readonly relay: PushRelay | undefined
  readonly rendering: Rendering
  readonly images: Images
  /** Uploaded files, and archives of exports. */
  readonly store: DiskStore
  readonly archives: DiskStore
  /** How long an upload may take to arrive. */
  readonly longestUploadSeconds: number
  readonly onQueuesEnded: OnEnded
}

/** All jobs of a server. */
export function allJobs(given: Given): (Job | OwnJob)[] {
  const { db, queues, log, relay, store, archives, onQueuesEnded } = given
  const pushedUpTo = relay && (async () => (await db.read.pushedMessages.cursor())?.eventId)
  return [
    expireQueues(queues, log, onQueuesEnded),
    storeCursors(queues),
    settleReadStates(db),
    countChannelActivity(db),
    removeOldMessages(db, log),
    removeMessagesOfAccounts(db, log),
    indexOldMessages(),
    indexMovedMessages(db),
    trimEventLog(db, queues, log, onQueuesEnded, pushedUpTo),
    ...(relay ? [pushNotifications({ ...given, relay })] : []),
    deliverScheduledMessages(given),
    deliverReminders(given),
    makeDataExports({ ...given, store: archives, uploads: store }),
    makeThumbnails(given),
    removeUnusedFiles(given),
    collectOrphanUploads(db, { store, longestSeconds: given.longestUploadSeconds }, log),
    collectOrphanArchives(db, archives, log),
  ]
}
