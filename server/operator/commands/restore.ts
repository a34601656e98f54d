import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasDatabase } from '../../../db/database.ts'
import { NEWEST_MIGRATION } from '../../../db/migrations/source.ts'
import { SqliteCopier } from '../../../db/sqlite-backup.ts'
import { requireOwnUploads, writeWhole } from '../../data-folder.ts'
import { copyFiles, readManifest, sizeOf, sqliteFileOf } from '../backup-folder.ts'
import { OperatorError, type PlaceCommand, word } from '../command.ts'
import { uploadsOf } from './backup.ts'

/** The database is written last, so that a server has nothing to start with until then. */
export const restore: PlaceCommand = {
  kind: 'place',
  makesDatabase: true,
  name: 'restore',
  summary: 'Put a backup in its place, where there is no database yet; the server has to be stopped (SQLite)',
  words: [{ name: 'folder', meaning: 'what the command backup has made' }],
  async run({ config, tell, holdServer }, given) {
    const folder = word(given, 'folder')
    const copier = new SqliteCopier(sqliteFileOf(config))
    const { database, files, made_at, has_secret } = await readManifest(folder)
    if (database.migration > NEWEST_MIGRATION) {
      throw new OperatorError(`The backup was made by a later release of Parley (it has ${database.migration})`)
    }
    await holdServer()
    if (await hasDatabase(config.database)) {
      throw new OperatorError('There is a database already: move the data folder away, or name another one')
    }
    requireOwnUploads(config.filesFolder, undefined)
    const uploads = uploadsOf(config.filesFolder)
    await mkdir(uploads, { recursive: true, mode: 0o700 })
    const copied = await copyFiles(join(folder, 'uploads'), uploads, tell)
    if (copied.files !== files) throw new OperatorError(`The backup has ${copied.files} of its ${files} files`)
    if (has_secret) await restoreSecret(join(folder, 'secret'), join(config.dataFolder, 'secret'))
    await copier.restore(folder, database, tell)
    return {
      data: { made_at, has_secret },
      lines: [
        `Everything is as it was at ${made_at}. Programs that wait for events register anew.`,
        ...(has_secret ? [] : ['Set PARLEY_SECRET as it was: the backup has no secret']),
      ],
    }
  },
}

async function restoreSecret(from: string, to: string): Promise<void> {
  const secret = await readFile(from, 'utf8')
  if ((await sizeOf(to)) === undefined) return writeWhole(to, secret)
  if ((await readFile(to, 'utf8')).trim() !== secret.trim()) {
    throw new OperatorError(`${to} is another secret than the backup’s: move it away`)
  }
}
