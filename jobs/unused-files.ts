import type { Logger } from 'pino'
import { removeFile } from '../actions/attachments/remove-file.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import { type Attachment, storageKeyOf } from '../domain/attachments/attachment.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import { UNUSED_FILE_SECONDS } from '../domain/limits.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { UploadStore } from '../uploads/store.ts'
import type { Job } from './runner.ts'

/** Files checked together. */
const FILES_A_PAGE = 500
const KEY = /user_uploads\/\d+\/([0-9a-f]{32})\//g

interface UnusedFileServices {
  readonly db: ReadOnlyDatabase
  readonly store: UploadStore
  readonly log: Logger
}

/**
 * Removes uploaded files to which no version of any message has referred for a while. Keeps files that other texts
 * refer to: drafts, snippets, scheduled messages, reminders, descriptions, greetings, parts of polls and to-do lists, and
 * what bots store.
 */
export function removeUnusedFiles({ db, store, log }: UnusedFileServices): Job {
  return {
    name: 'remove-unused-files',
    everyMs: DAY_SECONDS * 1000,
    isDueAtStart: true,
    isDue: async () =>
      !db.read.organization.isDeactivated && (await db.read.attachments.unusedBefore(limit(db), 0, 1)).length > 0,
    async run({ transaction, signal }) {
      const { eventId: seenUpTo } = await db.read.events.head()
      const written = await keysInTexts(db)
      for (let after = 0; ; ) {
        const files = await db.read.attachments.unusedBefore(limit(db), after, FILES_A_PAGE)
        for (const file of files) {
          if (signal.aborted) return
          after = file.id
          if (!written.has(storageKeyOf(file.pathId))) await remove(file)
        }
        if (files.length < FILES_A_PAGE) return
      }

      /**
       * Removes the row before the bytes, and only while nothing refers to the file. Texts written since the search are
       * in the log.
       */
      async function remove({ id, pathId }: Attachment): Promise<void> {
        const isRemoved = await transaction(async (tx) => {
          const [file] = await tx.attachments.unusedBefore(limit(db), id - 1, 1)
          if (file?.id !== id || (await tx.events.containsAfter(seenUpTo, storageKeyOf(pathId)))) return false
          await removeFile(tx, file)
          return true
        })
        if (!isRemoved) return
        await store.remove(storageKeyOf(pathId))
        log.info({ attachmentId: id }, 'removed a file to which nothing has referred for long')
      }
    },
  }
}

function limit(db: ReadOnlyDatabase): number {
  return db.read.organization.now - UNUSED_FILE_SECONDS
}

/** Returns keys of files that other texts than messages name. */
async function keysInTexts(db: ReadOnlyDatabase): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  const pauses = new Pauses()
  for await (const texts of db.read.writtenTexts.pages()) {
    for (const text of texts) for (const [, key = ''] of text.matchAll(KEY)) keys.add(key)
    await pauses.letOthers()
  }
  return keys
}
