import type { DatabaseLocation } from './database.ts'
import type { DatabaseCopier } from './database-copy.ts'

export async function copierOf(location: DatabaseLocation): Promise<DatabaseCopier> {
  if (location.kind === 'mariadb') return new (await import('./mariadb-backup.ts')).MariaDbCopier(location.url)
  return new (await import('./sqlite-backup.ts')).SqliteCopier(location.file)
}
