import type { DatabaseLocation } from './database.ts'
import type { DatabaseCopier, DatabaseCopy, DatabaseReport, Tell } from './database-copy.ts'

/** Copies one moment of the database into `folder`, while this and other processes go on using it. */
export async function copyDatabase(location: DatabaseLocation, folder: string, tell: Tell): Promise<DatabaseCopy> {
  return (await copierOf(location)).copy(folder, tell)
}

/** Whether there is nothing yet in the place to which a database should be restored. */
export async function isDatabaseEmpty(location: DatabaseLocation): Promise<boolean> {
  return (await copierOf(location)).isEmpty()
}

/**
 * Restores a copy to an empty place. Only the last step makes it a database that a server would start with, so a
 * restore that is killed leaves none.
 */
export async function restoreDatabase(
  location: DatabaseLocation,
  folder: string,
  copy: DatabaseCopy,
  tell: Tell,
): Promise<void> {
  await (await copierOf(location)).restore(folder, copy, tell)
}

/** Returns the problems that the database and our own checks find; empty if there are none. Only reads. */
export async function databaseProblems(location: DatabaseLocation, tell: Tell): Promise<DatabaseReport> {
  return (await copierOf(location)).check(tell)
}

async function copierOf(location: DatabaseLocation): Promise<DatabaseCopier> {
  if (location.kind === 'mariadb') return new (await import('./mariadb-backup.ts')).MariaDbCopier(location.url)
  return new (await import('./sqlite-backup.ts')).SqliteCopier(location.file)
}
