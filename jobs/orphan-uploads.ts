import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { storageKeyOf } from '../domain/attachments/attachment.ts'
import type { UploadStore } from '../uploads/store.ts'
import type { Job } from './runner.ts'

/** Removes files that no row knows: a crash came between the file and its row, or between the row's end and the file's. */
export function collectOrphanUploads(db: Database, store: UploadStore, organizationId: number, log: Logger): Job {
  return {
    name: 'collect-orphan-uploads',
    everyMs: 24 * 3600 * 1000,
    isDueAtStart: true,
    async run() {
      for await (const { prefix, keys } of store.groups()) {
        // Read after the files were listed: a row that was committed since then counts.
        const pathIds = await db.read.attachments.pathIdsFrom(`${organizationId}/${prefix}`)
        const known = new Set(pathIds.map(storageKeyOf))
        for (const key of keys) {
          if (known.has(key)) continue
          await store.remove(key)
          log.info({ key }, 'removed a file that belongs to no upload')
        }
      }
    },
  }
}
