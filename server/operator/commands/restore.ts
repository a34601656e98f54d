import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copierOf } from '../../../db/backup.ts'
import { NEWEST_MIGRATION } from '../../../db/migrations/source.ts'
import { requireOwnUploads, writeWhole } from '../../data-folder.ts'
import { copyFiles, readManifest, sizeOf } from '../backup-folder.ts'
import { OperatorError, type PlaceCommand, word } from '../command.ts'
import { uploadsOf } from './backup.ts'

/** The database is written last, so that a server has nothing to start with until then. */
export const restore: PlaceCommand = {
  kind: 'place',
  makesDatabase: true,
  name: 'restore',
  summary: 'Put a backup in its place, where there is no database yet; the server has to be stopped',
  words: [{ name: 'folder', meaning: 'what the command backup has made' }],
  async run({ config, tell, holdServer }, given) {
    const folder = word(given, 'folder')
    const { database, files, made_at, has_secret } = await readManifest(folder)
    if (database.dialect !== config.database.kind) {
      throw new OperatorError(`The backup is of ${database.dialect}, and DATABASE_URL is of ${config.database.kind}`)
    }
    if (database.migration > NEWEST_MIGRATION) {
      throw new OperatorError(`The backup was made by a later release of Parley (it has ${database.migration})`)
    }
    await holdServer()
    const copier = await copierOf(config.database)
    if (!(await copier.isEmpty())) {
      throw new OperatorError(
        'There is a database already: move the data folder away, or name another one or another DATABASE_URL',
      )
    }
    requireOwnUploads(config.filesFolder, undefined)
    const copied = await copyFiles(join(folder, 'uploads'), uploadsOf(config.filesFolder), tell)
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
