import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SqliteCopier } from '../../../db/sqlite-backup.ts'
import { copyFiles, emptyFolder, sizeOf, sqliteFileOf, writeManifest } from '../backup-folder.ts'
import { type PlaceCommand, word } from '../command.ts'

/**
 * The rows are from one moment. A file is in place before its row, and no file is removed during a backup, so the files
 * that are copied afterwards include all files of that moment.
 */
export const backup: PlaceCommand = {
  kind: 'place',
  name: 'backup',
  summary: 'Copy everything into a new folder, while the server runs or not (SQLite)',
  words: [{ name: 'folder', meaning: 'where the backup is to be: a folder that is empty or not there yet' }],
  async run({ config, tell, holdFiles }, given) {
    const folder = word(given, 'folder')
    const copier = new SqliteCopier(sqliteFileOf(config))
    await emptyFolder(folder)
    await holdFiles()
    const database = await copier.copy(folder, tell)
    tell('files: copying')
    const { files, bytes } = await copyFiles(uploadsOf(config.filesFolder), join(folder, 'uploads'), tell)
    const secret = join(config.dataFolder, 'secret')
    // A file may be left of a time before PARLEY_SECRET was set.
    const hasSecret = config.secret === undefined && (await sizeOf(secret)) !== undefined
    if (hasSecret) await copyFile(secret, join(folder, 'secret'))
    const made_at = new Date(config.clock.now()).toISOString()
    await writeManifest(folder, { made_at, database, files, bytes, has_secret: hasSecret })
    return {
      data: { folder, position: database.position, files, has_secret: hasSecret },
      lines: [
        `${folder} holds everything up to event ${database.position}, and ${files} files`,
        hasSecret ? 'The secret is in it: keep it as safe as the server' : 'Keep PARLEY_SECRET too: it is not in it',
      ],
    }
  },
}

/** Complete files. Files that are just arriving are not part of a backup. */
export function uploadsOf(filesFolder: string): string {
  return join(filesFolder, 'uploads', 'files')
}
