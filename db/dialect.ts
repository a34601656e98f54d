/** What SQLite and MariaDB say differently, in one place. */

/** Whether `err` says that a row with this unique key exists. */
export function isUniqueViolation(err: unknown): boolean {
  const code = (err as { code?: unknown } | undefined)?.code
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'ER_DUP_ENTRY'
}

/** Whether the same transaction may succeed when it is run again: a deadlock, or a lock wait that ended. */
export function isRetryable(err: unknown): boolean {
  const code = (err as { code?: unknown } | undefined)?.code
  return code === 'ER_LOCK_DEADLOCK' || code === 'ER_LOCK_WAIT_TIMEOUT' || code === 'ER_CHECKREAD'
}

/** `(?, ?, ?)` for a list of `count` values; SQL has no empty list, so ask before. For numbers see `listOf`. */
export function placeholders(count: number): string {
  if (count < 1) throw new RangeError('an empty list has no placeholders')
  return `(${'?, '.repeat(count - 1)}?)`
}

const STORAGE_FAULT =
  /^(SQLITE_(FULL|IOERR|READONLY)|(ENOSPC|EDQUOT|EROFS|EIO|ER_DISK_FULL|ER_RECORD_FILE_FULL|ER_ERROR_ON_WRITE)$)/

/** Whether `err` says that nothing can be written now, of the database or of files: a disk is full or fails. */
export function isStorageFault(err: unknown): boolean {
  return STORAGE_FAULT.test(String((err as { code?: unknown } | undefined)?.code))
}

/**
 * A table of one column `value` from a list of numbers, which is one parameter, as JSON; `as` has to name the table.
 */
export const LISTED: Readonly<Record<'sqlite' | 'mariadb', string>> = {
  sqlite: 'json_each(?)',
  mariadb: "json_table(?, '$[*]' columns (value bigint path '$'))",
}

/**
 * What stands behind `in` for a list of numbers, and its values. On SQLite the list is one value: a statement with a
 * placeholder for each is another statement for every length, and takes 160 bytes per placeholder for as long as it is
 * kept. MariaDB keeps statements itself, and plans by the values.
 */
export function listOf(
  dialect: 'sqlite' | 'mariadb',
  numbers: readonly number[],
): { readonly sql: string; readonly params: readonly (string | number)[] } {
  if (dialect === 'mariadb') return { sql: placeholders(numbers.length), params: numbers }
  return { sql: `(select value from ${LISTED.sqlite})`, params: [JSON.stringify(numbers)] }
}

/** Goes behind the name of a table: use this index and no other, where the planner would scan the table. */
export function throughIndex(dialect: 'sqlite' | 'mariadb', index: string): string {
  return dialect === 'sqlite' ? `indexed by ${index}` : `force index (${index})`
}

/** Values of one list in a statement: SQLite takes 32,766 variables in all. */
export const MAX_VARIABLES = 10_000
/** Rows of one insert of many: enough to make the round trips few. */
export const ROWS_A_STATEMENT = 500
