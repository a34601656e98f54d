import type { Logger } from 'pino'
import { announceExports, endExport } from '../actions/data-exports.ts'
import type { RenderedText } from '../actions/messages/render-content.ts'
import { sendDirectNotice } from '../actions/messages/send-message.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import { type DataExport, isPending } from '../domain/exports.ts'
import { EXPORT_KEPT_SECONDS, MAX_EXPORT_ATTEMPTS } from '../domain/limits.ts'
import { archiveEntries } from '../exports/archive.ts'
import { packed } from '../exports/pack.ts'
import { Scope } from '../exports/scope.ts'
import { asActor } from '../permissions/actor.ts'
import type { UploadStore } from '../uploads/store.ts'
import { LeaseLostError, type Turn } from './lease.ts'
import { type NoticeServices, render } from './notices.ts'
import type { Job } from './runner.ts'

export interface ExportServices extends NoticeServices {
  readonly db: ReadOnlyDatabase
  /** Store of archives. */
  readonly store: UploadStore
  /** Store of uploaded files. */
  readonly uploads: UploadStore
  readonly log: Logger
}

/** Somebody withdrew their consent, or closed a channel, while the archive was made. */
class ScopeGoneError extends Error {
  override readonly name = 'ScopeGoneError'
  constructor() {
    super('somebody no longer agrees to the export of what is theirs, or a channel shows less than before')
  }
}

/** Makes the archives that administrators requested, one after the other, and removes expired ones. */
export function makeDataExports(services: ExportServices): Job {
  const { db, store, log } = services
  return {
    name: 'make-data-exports',
    everyMs: 3600 * 1000,
    isDueAtStart: true,
    async isDue() {
      const next = (await nextAt(db)) ?? Number.POSITIVE_INFINITY
      return next <= db.read.organization.now || (await withoutArchive(services)).length > 0
    },
    wakesUp: { next: () => nextAt(db), after: 'realm_export' },
    async run(turn) {
      for (const one of await db.read.dataExports.all()) {
        if (turn.signal.aborted) return
        if (endOf(one) <= db.read.organization.now) await end(turn, one)
      }
      for (const one of await withoutArchive(services)) await end(turn, one)
      // Tries each once. A failed one is tried again at the next turn, after the runner's pause.
      for (const one of (await db.read.dataExports.all()).filter(isPending)) {
        if (turn.signal.aborted) return
        await make(services, turn, one).catch((err: unknown) => {
          if (turn.signal.aborted || err instanceof LeaseLostError) throw err
          log.error({ err, id: one.id }, 'export not made; tried again')
        })
      }
    },
  }

  /**
   * Removes the archive after its row. If a crash leaves the archive in the store, it is collected like other orphans.
   */
  async function end({ transaction }: Turn, { id, fileKey }: DataExport): Promise<void> {
    await transaction(async (tx) => {
      const one = await tx.dataExports.byId(id)
      if (one?.fileKey) await endExport(tx, one, services.site)
    })
    if (fileKey !== null) await store.remove(fileKey)
  }
}

/** Exports whose archives are missing: a database restored from a backup names archives that no backup contains. */
async function withoutArchive({ db, store }: ExportServices): Promise<DataExport[]> {
  const gone: DataExport[] = []
  for (const one of await db.read.dataExports.all()) {
    if (one.fileKey !== null && !(await store.has(one.fileKey))) gone.push(one)
  }
  return gone
}

/** UNIX seconds after which the archive is removed. */
function endOf({ fileKey, finishedAt }: DataExport): number {
  return fileKey === null || finishedAt === null ? Number.POSITIVE_INFINITY : finishedAt + EXPORT_KEPT_SECONDS
}

async function nextAt(db: ReadOnlyDatabase): Promise<number | undefined> {
  const times = (await db.read.dataExports.all()).map((one) => (isPending(one) ? 0 : endOf(one)))
  const next = Math.min(...times)
  return Number.isFinite(next) ? next : undefined
}

/**
 * Makes one archive. If the process is killed meanwhile, either the archive exists with its row, or it is made again.
 * After some attempts the export has failed.
 */
async function make(services: ExportServices, turn: Turn, { id }: DataExport): Promise<void> {
  const { db, store, uploads } = services
  const isBegun = await turn.transaction(async (tx) => {
    const one = await tx.dataExports.byId(id)
    if (!one || !isPending(one) || one.attempts >= MAX_EXPORT_ATTEMPTS) return false
    await tx.dataExports.update(one, { attempts: one.attempts + 1 })
    return true
  })
  const one = await db.read.dataExports.byId(id)
  if (!one) return
  if (!isBegun) return fail(services, turn, one)
  const scope = await Scope.of(db.read, one.type)
  const entries = archiveEntries({ read: db.read, uploads }, scope, one)
  const notice = await noticeTo(services, one, 'The export of the organization’s data that you asked for is ready.')
  const file = await store.receive(packed(entries, one.requestedMs, turn.signal))
  try {
    await file.keep(() =>
      turn.transaction(async (tx) => {
        if (!(await scope.stillHolds(tx))) throw new ScopeGoneError()
        await tx.dataExports.update(one, { finishedAt: tx.organization.now, fileKey: file.key, size: file.size })
        await tell(tx, services, one, notice)
      }),
    )
  } catch (err) {
    // After a failed commit the row may exist all the same; the collection of orphans checks that.
    if (err instanceof ScopeGoneError) await file.discard()
    throw err
  }
}

async function fail(services: ExportServices, { transaction }: Turn, one: DataExport): Promise<void> {
  const notice = await noticeTo(services, one, 'The export of the organization’s data that you asked for failed.')
  await transaction(async (tx) => {
    await tx.dataExports.update(one, { failedAt: tx.organization.now })
    await tell(tx, services, one, notice)
  })
}

async function noticeTo(services: ExportServices, { actingUserId }: DataExport, content: string) {
  const user = await services.db.read.users.byId(actingUserId)
  return user?.isActive ? render(services, asActor(user), content) : undefined
}

/** Sends the requester a message before the event that tells all administrators. */
async function tell(
  tx: Tx,
  { site }: ExportServices,
  { actingUserId }: DataExport,
  notice: RenderedText | undefined,
): Promise<void> {
  const to = await tx.users.byId(actingUserId)
  if (notice && to?.isActive) await sendDirectNotice(tx, { to, ...notice })
  await announceExports(tx, site)
}
