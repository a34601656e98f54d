/** The differences between SQLite and MariaDB, in one place. */

/** Whether `err` says that a row with this unique key exists. */
export function isUniqueViolation(err: unknown): boolean {
  const code = (err as { code?: unknown } | undefined)?.code
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'ER_DUP_ENTRY'
}

/**
 * Whether the transaction may succeed if it is run again: after a deadlock or a lock timeout, or where another node of a
 * Galera cluster has used the ID of a message or event, although its counter was locked here.
 */
export function isRetryable(err: unknown): boolean {
  const { code, message } = (err ?? {}) as { code?: unknown; message?: unknown }
  if (code === 'ER_DUP_ENTRY') return String(message).endsWith("for key 'PRIMARY'")
  return code === 'ER_LOCK_DEADLOCK' || code === 'ER_LOCK_WAIT_TIMEOUT' || code === 'ER_CHECKREAD'
}

/** Whether the connection was lost or could not be made, so that another one may work. */
export function isConnectionLost(err: unknown): boolean {
  return (err as { fatal?: unknown } | undefined)?.fatal === true
}

/** Returns `(?, ?, ?)` for `count` values; SQL has no empty list, so check before. For long lists use `listOf`. */
export function placeholders(count: number): string {
  if (count < 1) throw new RangeError('an empty list has no placeholders')
  return `(${'?, '.repeat(count - 1)}?)`
}

const STORAGE_FAULT =
  /^(SQLITE_(FULL|IOERR|READONLY)|(ENOSPC|EDQUOT|EROFS|EIO|ER_DISK_FULL|ER_RECORD_FILE_FULL|ER_ERROR_ON_WRITE|ER_OPTION_PREVENTS_STATEMENT|ER_READ_ONLY_MODE)$)/

/**
 * Whether `err` says that nothing can be written now, to the database or to files: a disk is full or fails, or the
 * database is read-only.
 */
export function isStorageFault(err: unknown): boolean {
  return STORAGE_FAULT.test(String((err as { code?: unknown } | undefined)?.code))
}

/** A table with one column `value`, made of a list of numbers in one JSON parameter; `as` must name the table. */
export const LISTED: Readonly<Record<'sqlite' | 'mariadb', string>> = {
  sqlite: 'json_each(?)',
  mariadb: "json_table(?, '$[*]' columns (value bigint path '$'))",
}

/**
 * Returns the SQL after `in` for a list, and its values. On SQLite the list is one value: with one placeholder for each
 * item, every length would be another statement, which takes 160 bytes a placeholder while it is cached. MariaDB caches
 * statements itself, and plans by the values.
 */
export function listOf(
  dialect: 'sqlite' | 'mariadb',
  list: readonly (number | string)[],
): { readonly sql: string; readonly params: readonly (string | number)[] } {
  if (dialect === 'mariadb') return { sql: placeholders(list.length), params: list }
  return { sql: `(select value from ${LISTED.sqlite})`, params: [JSON.stringify(list)] }
}

/** Returns the SQL after the name of a table that forces this index, where the planner would scan the table. */
export function throughIndex(dialect: 'sqlite' | 'mariadb', index: string): string {
  return dialect === 'sqlite' ? `indexed by ${index}` : `force index (${index})`
}

/** Rows of one multi-row insert: enough to make round trips few; placeholders are limited to 65,535. */
export const ROWS_A_STATEMENT = 500
