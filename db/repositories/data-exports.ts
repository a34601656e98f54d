import type { DataExport, ExportType } from '../../domain/exports.ts'
import type { UserId } from '../../domain/ids.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface DataExportRow {
  readonly id: number
  readonly export_type: string
  readonly acting_user_id: number
  readonly requested_ms: number
  readonly attempts: number
  readonly finished_at: number | null
  readonly failed_at: number | null
  readonly deleted_at: number | null
  readonly file_key: string | null
  readonly size: number | null
}

function fromRow(row: DataExportRow): DataExport {
  return {
    id: row.id,
    type: row.export_type as ExportType,
    actingUserId: row.acting_user_id as UserId,
    requestedMs: Number(row.requested_ms),
    attempts: row.attempts,
    finishedAt: row.finished_at,
    failedAt: row.failed_at,
    deletedAt: row.deleted_at,
    fileKey: row.file_key,
    size: row.size,
  }
}

/** The changes of an export: it gets an archive, fails, or loses its archive. */
type ExportChange = Partial<Pick<DataExport, 'attempts' | 'finishedAt' | 'failedAt' | 'deletedAt' | 'fileKey' | 'size'>>

/** Requested exports, and where their archives are. */
export class DataExportReader extends Repository {
  /** The oldest first. The list is short, because there are only a few exports each week. */
  async all(): Promise<DataExport[]> {
    return (await this.session.all<DataExportRow>('select * from data_export order by id')).map(fromRow)
  }

  async byId(id: number): Promise<DataExport | undefined> {
    const row = await this.session.get<DataExportRow>('select * from data_export where id = ?', [id])
    return row && fromRow(row)
  }

  /** Returns the one whose archive has this key. */
  async byFileKey(fileKey: string): Promise<DataExport | undefined> {
    const sql = (list: string) => `select * from data_export where file_key in ${list}`
    const [row] = await rowsFor<DataExportRow>(this.session, [fileKey], sql, { exactly: 'file_key' })
    return row && fromRow(row)
  }

  /** Returns how many were requested since. @param sinceMs UNIX milliseconds */
  async countSince(sinceMs: number): Promise<number> {
    const row = await this.session.get<{ count: number }>(
      'select count(*) as count from data_export where requested_ms > ?',
      [sinceMs],
    )
    return Number(row?.count)
  }
}

export class DataExportWriter extends DataExportReader {
  /** @returns its ID, which is never used again */
  async insert({ type, actingUserId, requestedMs }: Pick<DataExport, 'type' | 'actingUserId' | 'requestedMs'>) {
    const { insertId } = await this.session.run(
      'insert into data_export (export_type, acting_user_id, requested_ms, attempts) values (?, ?, ?, 0)',
      [type, actingUserId, requestedMs],
    )
    return insertId
  }

  async update(one: DataExport, change: ExportChange): Promise<void> {
    const { attempts, finishedAt, failedAt, deletedAt, fileKey, size, id } = { ...one, ...change }
    await this.session.run(
      `update data_export set attempts = ?, finished_at = ?, failed_at = ?, deleted_at = ?, file_key = ?, size = ?
       where id = ?`,
      [attempts, finishedAt, failedAt, deletedAt, fileKey, size, id],
    )
  }
}
