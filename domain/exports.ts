import type { UserId } from './ids.ts'
import type { Site } from './organization/server-settings.ts'

/** The content of an archive besides public data: nothing; data of users who agreed; everything. */
export const EXPORT_TYPES = ['public', 'full_with_consent', 'full_without_consent'] as const
export type ExportType = (typeof EXPORT_TYPES)[number]

/** An export of the organization's data. Times are UNIX seconds, except `requestedMs`. */
export interface DataExport {
  readonly id: number
  readonly type: ExportType
  readonly actingUserId: UserId
  readonly requestedMs: number
  /** How often the archive was begun. A server may stop in between, perhaps because of the export. */
  readonly attempts: number
  readonly finishedAt: number | null
  readonly failedAt: number | null
  readonly deletedAt: number | null
  /** Key of the archive in its store: 128 random bits, enough to read it. */
  readonly fileKey: string | null
  /** Bytes. */
  readonly size: number | null
}

export function isPending({ finishedAt, failedAt, deletedAt }: DataExport): boolean {
  return finishedAt === null && failedAt === null && deletedAt === null
}

/** File name of a saved archive. */
export function archiveName({ id, requestedMs }: Pick<DataExport, 'id' | 'requestedMs'>): string {
  return `export-${id}-${new Date(requestedMs).toISOString().slice(0, 10)}.tar.gz`
}

/** The export in the form for administrators (REC-9). */
export function toWireExport(one: DataExport, { publicUrl }: Pick<Site, 'publicUrl'>) {
  return {
    id: one.id,
    acting_user_id: one.actingUserId as number,
    export_time: one.requestedMs / 1000,
    deleted_timestamp: one.deletedAt,
    failed_timestamp: one.failedAt,
    export_url: one.fileKey === null ? null : `${publicUrl}/data_exports/${one.fileKey}/${archiveName(one)}`,
    pending: isPending(one),
    export_type: one.type,
  }
}
