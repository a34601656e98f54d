import { join } from 'node:path'
import { ImportedDatabase } from '../../../db/imported-database.ts'
import { hostOf } from '../../../domain/organization/server-settings.ts'
import { FEATURE_LEVEL } from '../../../domain/versions.ts'
import { ArchiveError } from '../../../exports/import/archive-error.ts'
import { type Imported, importArchive } from '../../../exports/import/import-archive.ts'
import { hashPassword } from '../../../secrets/secrets.ts'
import { DiskStore } from '../../../uploads/disk.ts'
import { ADMIN_COMMAND } from '../../command-names.ts'
import { publicUrlOf } from '../../config.ts'
import { type DataFolder, requireOwnUploads, writeWhole } from '../../data-folder.ts'
import type { DemoCredentials } from '../../first-start.ts'
import { secretsOf } from '../../server-secrets.ts'
import { newPassword } from '../accounts.ts'
import { OperatorError, type PlaceCommand, word } from '../command.ts'
import { settingChecks } from '../setting-checks.ts'

/**
 * The database is written last and as a whole. A command that is killed before that leaves only files that nothing
 * refers to.
 */
export const importOrganization: PlaceCommand = {
  kind: 'place',
  makesDatabase: true,
  name: 'import',
  summary:
    'Make an organization from an archive of export (docs/export.md), where there is no database yet; the server has to be stopped',
  words: [{ name: 'archive', meaning: 'what the command export, or an export of administrators, has made' }],
  async run({ config, tell, holdServer }, given) {
    const archive = word(given, 'archive')
    const dataFolder = await holdServer()
    const password = newPassword()
    const secrets = secretsOf(config.secret, dataFolder, undefined)
    const credentials = { secrets, passwordHash: await hashPassword(password) }
    const files = new DiskStore(join(config.filesFolder, 'uploads'))
    const baseUrl = publicUrlOf(config)
    const host = hostOf({ publicUrl: baseUrl })
    const database = await ImportedDatabase.open(config.database)
    try {
      requireOwnUploads(config.filesFolder, undefined)
      const checks = await settingChecks()
      const imported = await importArchive(archive, database, { credentials, host, checks, files, tell })
      writeCredentials(dataFolder, imported, password, baseUrl)
      await database.finish()
      dataFolder.confirmCredentials(imported.uuid)
      const { people, messages, files: kept, lostFiles: lost_files, owner } = imported
      const data = { people, messages, files: kept, lost_files, owner: owner ? { email: owner.email, password } : null }
      return { data, lines: report(imported, password) }
    } catch (err) {
      await database.abandon()
      if (err instanceof ArchiveError) throw new OperatorError(`Nothing was imported. ${err.message}`, { cause: err })
      throw err
    }
  },
}

/**
 * Writes the credentials as a first start does, so that programs find them. They are on disk before the organization
 * exists, and get their name when it does.
 */
function writeCredentials(dataFolder: DataFolder, { uuid, owner }: Imported, password: string, baseUrl: string): void {
  if (!owner) return
  const credentials: DemoCredentials = {
    base_url: baseUrl,
    feature_level: FEATURE_LEVEL,
    password,
    users: { owner: { email: owner.email, api_key: owner.apiKey, user_id: owner.id } },
  }
  writeWhole(dataFolder.unconfirmedCredentialsFile('empty', uuid), `${JSON.stringify(credentials, null, 2)}\n`)
}

function report({ people, messages, files, lostFiles, owner }: Imported, password: string): string[] {
  return [
    `The organization is there: ${people} accounts, ${messages} messages, ${files} files`,
    ...(lostFiles > 0 ? [`${lostFiles} files are left out: the archive does not have their bytes`] : []),
    `Nobody has a password or a key ${owner ? 'but this owner' : 'yet'}: give people theirs with ${ADMIN_COMMAND} reset-password, and bots with ${ADMIN_COMMAND} reset-key`,
    ...(owner
      ? [`${owner.fullName} <${owner.email}> owns the organization`, `Password: ${password}`]
      : [`No active person owns the organization: ${ADMIN_COMMAND} make-owner`]),
  ]
}
