import type { DatabaseLocation } from './database.ts'
import type { DatabaseCopier, DatabaseCopy, DatabaseReport, Tell } from './database-copy.ts'

/** Copies one moment of the database into `folder`. Whoever uses the database goes on, in this process or another. */
export async function copyDatabase(location: DatabaseLocation, folder: string, tell: Tell): Promise<DatabaseCopy> {
  return (await copierOf(location)).copy(folder, tell)
}

/** Whether there is nothing yet where a database is to be restored. */
export async function isDatabaseEmpty(location: DatabaseLocation): Promise<boolean> {
  return (await copierOf(location)).isEmpty()
}

/**
 * Puts a copy in its place, which has to be empty. The last step makes it a database that a server starts with, so what is
 * killed before leaves none.
 */
export async function restoreDatabase(
  location: DatabaseLocation,
  folder: string,
  copy: DatabaseCopy,
  tell: Tell,
): Promise<void> {
  await (await copierOf(location)).restore(folder, copy, tell)
}

/** What is wrong with the database, by its own account and ours; empty when nothing is. Only reads. */
export async function databaseProblems(location: DatabaseLocation, tell: Tell): Promise<DatabaseReport> {
  return (await copierOf(location)).check(tell)
}

async function copierOf(location: DatabaseLocation): Promise<DatabaseCopier> {
  if (location.kind === 'mariadb') return new (await import('./mariadb-backup.ts')).MariaDbCopier(location.url)
  return new (await import('./sqlite-backup.ts')).SqliteCopier(location.file)
}
