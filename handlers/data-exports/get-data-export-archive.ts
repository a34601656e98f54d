import { UnknownFileError } from '../../domain/errors.ts'
import { archiveName } from '../../domain/exports.ts'
import { type Handler, StoredFileAnswer } from '../handler.ts'

/** GET /data_exports/…: the archive, for anybody who knows its address. */
export const getDataExportArchive: Handler<'get-data-export-archive'> = async ({ input, db, exports }) => {
  const one = await db.read.dataExports.byFileKey(input.file_key)
  if (!one?.fileKey || one.size === null || input.file_name !== archiveName(one)) throw new UnknownFileError()
  const file = {
    id: one.id,
    key: one.fileKey,
    fileName: input.file_name,
    contentType: 'application/gzip',
    size: one.size,
    createdAt: one.finishedAt ?? 0,
  }
  return new StoredFileAnswer(file, exports.store)
}
