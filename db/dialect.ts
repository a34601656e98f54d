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

/** `(?, ?, ?)` for a list of `count` values; SQL has no empty list, so ask before. */
export function placeholders(count: number): string {
  if (count < 1) throw new RangeError('an empty list has no placeholders')
  return `(${'?, '.repeat(count - 1)}?)`
}

/** A table of one column `value` from a list of numbers that is one parameter, as JSON; its name is to be given with `as`. */
export const LISTED: Readonly<Record<'sqlite' | 'mariadb', string>> = {
  sqlite: 'json_each(?)',
  mariadb: "json_table(?, '$[*]' columns (value bigint path '$'))",
}

/** Behind the name of a table: through this index and no other, where the planner would go through the table. */
export function throughIndex(dialect: 'sqlite' | 'mariadb', index: string): string {
  return dialect === 'sqlite' ? `indexed by ${index}` : `force index (${index})`
}

/** Values of one list in a statement: SQLite takes 32,766 variables in all. */
export const MAX_VARIABLES = 10_000
/** Rows of one insert of many: enough to make the round trips few. */
export const ROWS_A_STATEMENT = 500
