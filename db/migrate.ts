import { migrationSource, NEWEST_MIGRATION } from './migrations/source.ts'
import type { Session } from './session.ts'
import { UnusableDatabaseError } from './unusable.ts'

const OPTIONS = { migrationSource, tableName: 'migration' }

/**
 * Brings the schema up to date. One process at a time: the caller holds the data folder.
 * @throws {UnusableDatabaseError} where a later release made the database, or MariaDB's has tables of something else
 */
export async function migrate(writer: Session): Promise<void> {
  const newest = await newestMigration(writer)
  if (newest === NEWEST_MIGRATION) return
  if (newest !== undefined && newest > NEWEST_MIGRATION) {
    throw new UnusableDatabaseError(
      `The database was made by a later release of Parley (it has ${newest}): start that one`,
    )
  }
  if (writer.dialect === 'mariadb') await clearHalfMadeTables(writer)
  // A start that was killed leaves Knex's own lock behind, and nobody else migrates.
  await writer.knex.migrate.forceFreeMigrationsLock(OPTIONS)
  await writer.knex.migrate.latest(OPTIONS)
}

/** One cheap query in place of Knex's six, at every start but the first. Undefined for a new database. */
async function newestMigration(session: Session): Promise<string | undefined> {
  try {
    return (await session.get<{ name: string }>('select name from migration order by id desc limit 1'))?.name
  } catch {
    return undefined // no such table
  }
}

/**
 * MariaDB commits after every statement of a migration, so a first start that was killed leaves some tables behind.
 * They are ours, and empty, exactly when the list of migrations is there without an entry. A database that holds
 * tables of something else is refused, before anything in it is touched.
 */
async function clearHalfMadeTables(session: Session): Promise<void> {
  const rows = await session.all<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = database()',
  )
  const tables = rows.map((row) => row.name)
  if (tables.length === 0) return
  if (!tables.includes('migration')) {
    throw new UnusableDatabaseError(
      'DATABASE_URL names a database with tables of something else: give Parley an empty one of its own',
    )
  }
  const done = await session.get<{ count: number }>('select count(*) as count from migration')
  if (!done || done.count > 0) return
  const halfMade = tables.filter((name) => name !== 'migration' && name !== 'migration_lock')
  await session.knex.raw('set foreign_key_checks = 0')
  for (const name of halfMade) await session.knex.schema.dropTable(name)
  await session.knex.raw('set foreign_key_checks = 1')
}
