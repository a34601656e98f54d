import type { DatabaseLocation } from './database.ts'
import type { DatabaseCopier, DatabaseCopy, DatabaseReport, Tell } from './database-copy.ts'

/**
 * Copies the state of the database at one moment into `folder`. This and other processes can go on using the database.
 */
export async function copyDatabase(location: DatabaseLocation, folder: string, tell: Tell): Promise<DatabaseCopy> {
  return (await copierOf(location)).copy(folder, tell)
}

/** Whether the place to which a database should be restored is still empty. */
export async function isDatabaseEmpty(location: DatabaseLocation): Promise<boolean> {
  return (await copierOf(location)).isEmpty()
}

/**
 * Restores a copy to an empty place. Only the last step makes it a database that a server would start with, so a killed
 * restore leaves no database.
 */
export async function restoreDatabase(
  location: DatabaseLocation,
  folder: string,
  copy: DatabaseCopy,
  tell: Tell,
): Promise<void> {
  await (await copierOf(location)).restore(folder, copy, tell)
}

/** Returns the problems that the database's own checks and ours find; empty if there are none. Writes nothing. */
export async function databaseProblems(location: DatabaseLocation, tell: Tell): Promise<DatabaseReport> {
  return (await copierOf(location)).check(tell)
}

async function copierOf(location: DatabaseLocation): Promise<DatabaseCopier> {
  if (location.kind === 'mariadb') return new (await import('./mariadb-backup.ts')).MariaDbCopier(location.url)
  return new (await import('./sqlite-backup.ts')).SqliteCopier(location.file)
}
