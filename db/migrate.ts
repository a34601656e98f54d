import { MIGRATION_NAMES, migrationSource, NEWEST_MIGRATION } from './migrations/source.ts'
import type { Session } from './session.ts'
import { FOREIGN, UnusableDatabaseError } from './unusable.ts'

// A database of release 0.1.0 has more names: those of the migrations before its last one.
const OPTIONS = { migrationSource, tableName: 'migration', disableMigrationsListValidation: true }

/**
 * Brings the schema up to date. Only one process may do it: the caller has locked the database, or its folder.
 *
 * @throws {UnusableDatabaseError} if a later release made the database, or one before 0.1.0, or a MariaDB database has
 * other tables
 */
export async function migrate(writer: Session): Promise<void> {
  const done = await migrationsOf(writer)
  const newest = done.at(-1)
  if (newest !== undefined && newest > NEWEST_MIGRATION) {
    throw new UnusableDatabaseError(
      `The database was made by a later release of Parley (it has ${newest}): start that one`,
    )
  }
  const [first = ''] = MIGRATION_NAMES
  if (newest !== undefined && newest < first) {
    throw new UnusableDatabaseError(
      `The database was made by Parley before 0.1.0 (it has ${newest}): start 0.1.0 once, then this one`,
    )
  }
  if (MIGRATION_NAMES.every((name) => done.includes(name))) return
  if (writer.dialect === 'mariadb') {
    await clearHalfMadeTables(writer)
    await createLists(writer)
  }
  // A killed start leaves Knex's own lock behind. It is safe to release, because nobody else migrates.
  await writer.knex.migrate.forceFreeMigrationsLock(OPTIONS)
  await writer.knex.migrate.latest(OPTIONS)
}

/** Checks that the tables are those of this release. @throws {UnusableDatabaseError} with what to do */
export async function requireMigrated(session: Session): Promise<void> {
  const done = await migrationsOf(session)
  const newest = done.at(-1)
  if (newest === NEWEST_MIGRATION) return
  throw new UnusableDatabaseError(
    newest === undefined
      ? 'There is no organization yet: start the server once'
      : `The database is of another release of Parley (it has ${newest}): start the server of this one once`,
  )
}

/** Returns the applied migrations by name, by one cheap query instead of Knex's six; empty for a new database. */
export async function migrationsOf(session: Session): Promise<readonly string[]> {
  try {
    const rows = await session.all<{ name: string }>('select name from migration order by name')
    return rows.map(({ name }) => name)
  } catch {
    return [] // no such table
  }
}

/**
 * MariaDB commits after every statement of a migration, so a killed first start leaves some tables. These are ours, and
 * empty, exactly if the list of migrations exists and has no entry. A database with other tables is refused before
 * anything in it is changed.
 */
async function clearHalfMadeTables(session: Session): Promise<void> {
  const rows = await session.all<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = database()',
  )
  const tables = rows.map((row) => row.name)
  if (tables.length === 0) return
  if (!tables.includes('migration')) {
    throw new UnusableDatabaseError(FOREIGN)
  }
  const done = await session.get<{ count: number }>('select count(*) as count from migration')
  if (!done || done.count > 0) return
  const halfMade = tables.filter((name) => name !== 'migration' && name !== 'migration_lock')
  if (halfMade.includes('user') && (await session.get('select 1 from user limit 1'))) {
    throw new UnusableDatabaseError(
      'The database has users, but its table migration is empty: restore that table, or the database, from a backup',
    )
  }
  await session.knex.raw('set foreign_key_checks = 0')
  for (const name of halfMade) await session.knex.schema.dropTable(name)
  await session.knex.raw('set foreign_key_checks = 1')
}

/** Creates Knex's own tables, which would otherwise get the engine and character set that are the server's default. */
async function createLists(session: Session): Promise<void> {
  const id = 'int unsigned not null auto_increment primary key'
  const kind = 'engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin'
  await session.run(
    `create table if not exists migration (id ${id}, name varchar(255), batch int, migration_time timestamp null) ${kind}`,
  )
  await session.run(`create table if not exists migration_lock (\`index\` ${id}, is_locked int) ${kind}`)
}
