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
 */
export async function insertMany(
  session: Session,
  into: string,
  rows: Iterable<readonly SqlValue[]>,
  pauses: Pauses,
): Promise<void> {
  let [sql, count] = ['', 0]
  for (const some of statementsOf(rows, session.dialect === 'sqlite' ? 1 : ROWS_A_STATEMENT)) {
    if (some.length !== count) {
      const values = some.map((row) => placeholders(row.length)).join(', ')
      ;[sql, count] = [`insert into ${into} values ${values}`, some.length]
    }
    await session.run(sql, some.flat())
    await pauses.letOthers()
  }
}

function* statementsOf(rows: Iterable<readonly SqlValue[]>, most: number): Iterable<(readonly SqlValue[])[]> {
  let some: (readonly SqlValue[])[] = []
  let characters = 0
  for (const row of rows) {
    const size = row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    if (some.length === most || (some.length > 0 && characters + size > CHARACTERS_A_STATEMENT)) {
      yield some
      some = []
      characters = 0
    }
    some.push(row)
    characters += size
  }
  if (some.length > 0) yield some
}
