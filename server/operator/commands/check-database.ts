import { join } from 'node:path'
import { reportOn } from '../../../db/database-report.ts'
import { storageKeyOf } from '../../../domain/attachments/attachment.ts'
import { sizeOf } from '../backup-folder.ts'
import { OperatorError, type PlaceCommand } from '../command.ts'
import { uploadsOf } from './backup.ts'

/** Problems that are listed; the rest is only counted. */
const MAX_REPORTED = 20

export const checkDatabase: PlaceCommand = {
  kind: 'place',
  name: 'check-database',
  summary: 'Look for damage, and for uploaded files that are missing; changes nothing',
  words: [],
  async run({ config, tell, holdFiles }) {
    await holdFiles()
    const { problems, files } = await reportOn(config.database, tell)
    const all = [...problems]
    tell(`files: ${files.length}`)
    for (const { pathId, size } of files) {
      const key = storageKeyOf(pathId)
      const found = await sizeOf(join(uploadsOf(config.filesFolder), key.slice(0, 2), key))
      if (found !== size) all.push(`file ${pathId} has ${found ?? 'no'} bytes instead of ${size}`)
    }
    if (all.length === 0) {
      const lines = [`The database is whole, and so are its ${files.length} files`]
      return { data: { files: files.length }, lines }
    }
    const told = all.slice(0, MAX_REPORTED)
    throw new OperatorError(
      [...told, ...(all.length > told.length ? [`and ${all.length - told.length} more`] : [])].join('\n'),
    )
  },
}
