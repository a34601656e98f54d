import type { Logger } from 'pino'
import type { ReadOnlyDatabase } from '../db/database.ts'
import { storageKeyOf } from '../domain/attachments/attachment.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import type { UploadStore } from '../uploads/store.ts'
import type { Job } from './runner.ts'

interface Uploads {
  readonly store: UploadStore
  /** How long the bytes of a file may take to arrive. */
  readonly longestSeconds: number
}

/**
 * Removes files without a row, and incomplete files, which a crash leaves between the file and its row. A file that
 * another process is just receiving or recording looks the same. So only files are removed that are older than the
 * longest upload by a day.
 */
export function collectOrphanUploads(db: ReadOnlyDatabase, uploads: Uploads, log: Logger): Job {
  return collectOrphans('collect-orphan-uploads', db, uploads, log, async (prefix) => {
    const pathIds = await db.read.attachments.pathIdsFrom(`${db.read.organization.id}/${prefix}`)
    return new Set(pathIds.map(storageKeyOf))
  })
}

/** Removes archives without an export in the same way. */
export function collectOrphanArchives(db: ReadOnlyDatabase, store: UploadStore, log: Logger): Job {
  const archives = { store, longestSeconds: DAY_SECONDS }
  return collectOrphans('collect-orphan-archives', db, archives, log, async () => {
    return new Set((await db.read.dataExports.all()).flatMap(({ fileKey }) => fileKey ?? []))
  })
}

/** @param knownFrom keys in rows, at least all that begin with `prefix` */
function collectOrphans(
  name: string,
  db: ReadOnlyDatabase,
  { store, longestSeconds }: Uploads,
  log: Logger,
  knownFrom: (prefix: string) => Promise<ReadonlySet<string>>,
): Job {
  return {
    name,
    everyMs: DAY_SECONDS * 1000,
    isDueAtStart: true,
    async run({ signal }) {
      const beforeMs = (db.read.organization.now - longestSeconds - DAY_SECONDS) * 1000
      const unfinished = await store.removeUnfinished(beforeMs, signal)
      if (unfinished > 0) log.info({ unfinished }, 'removed files that never arrived completely')
      for await (const { prefix, keys } of store.groups()) {
        if (signal.aborted) return
        // Reads the rows after listing the files, so that rows committed in between count.
        const known = await knownFrom(prefix)
        for (const key of keys) {
          if (known.has(key) || !(await store.removeOld(key, beforeMs))) continue
          log.info({ key }, 'removed a file that belongs to no row')
        }
      }
    },
  }
}
