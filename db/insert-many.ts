import { chunksBySize } from '../domain/chunks.ts'
import type { Pauses } from '../event-loop/pauses.ts'
import { placeholders, ROWS_A_STATEMENT } from './dialect.ts'
import type { Session, SqlValue } from './session.ts'

/** Packets are limited to 16 MiB, so large rows do not share a statement. */
const CHARACTERS_A_STATEMENT = 1_000_000

/**
 * Inserts the rows of a batch: one statement each on SQLite, where a statement is a function call, and one for many on
 * MariaDB, where it is a round trip. Others are served in between.
 *
 * @param into table and columns, such as `event (id, type)`
 * @param verb `replace` takes the place of rows with the same primary key
 */
export async function insertMany(
  session: Session,
  into: string,
  rows: Iterable<readonly SqlValue[]>,
  pauses: Pauses,
  verb: 'insert' | 'replace' = 'insert',
): Promise<void> {
  let [sql, count] = ['', 0]
  const most = { size: CHARACTERS_A_STATEMENT, count: session.dialect === 'sqlite' ? 1 : ROWS_A_STATEMENT }
  for (const some of chunksBySize(rows, sizeOf, most)) {
    if (some.length !== count) {
      const values = some.map((row) => placeholders(row.length)).join(', ')
      ;[sql, count] = [`${verb} into ${into} values ${values}`, some.length]
    }
    await session.run(sql, some.flat())
    await pauses.letOthers()
  }
}

/** Returns the characters and bytes of a row. */
export function sizeOf(row: readonly SqlValue[]): number {
  return row.reduce<number>((sum, value) => {
    return typeof value === 'string' || value instanceof Uint8Array ? sum + value.length : sum
  }, 0)
}
