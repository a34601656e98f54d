import { type DatabaseLocation, openBeside } from './database.ts'
import type { DatabaseReport, Tell } from './database-copy.ts'
import { SqliteCopier } from './sqlite-backup.ts'

/**
 * Returns the problems that SQLite's own checks and ours find; empty if there are none. MariaDB checks its tables itself
 * (`mariadb-check`). Writes nothing.
 */
export async function reportOn(location: DatabaseLocation, tell: Tell): Promise<DatabaseReport> {
  if (location.kind === 'sqlite') return new SqliteCopier(location.file).check(tell)
  const engine = await openBeside(location)
  try {
    const sql = 'select path_id as pathId, size from attachment'
    const files = await engine.reader.all<DatabaseReport['files'][number]>(sql)
    return { problems: [], files: files.map(({ pathId, size }) => ({ pathId, size: Number(size) })) }
  } finally {
    await engine.close()
  }
}
