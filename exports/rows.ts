import type { ArchivedTable } from '../db/archive/archived-table.ts'
import { Pauses } from '../db/pauses.ts'
import type { ArchivedRow } from '../db/repositories/exported-rows.ts'
import type { Readers } from '../db/repositories.ts'
import type { KnownThings } from './known-things.ts'

/**
 * Rows of a table that go along. What they name that came after the archive was begun, or that does not go along, is left out, and
 * where nothing else is said so is the row.
 * @param known gets what these rows are
 * @param isWanted of whom rows go along that are somebody's own
 */
export async function* exportedRows(
  read: Readers,
  table: ArchivedTable,
  known: KnownThings,
  isWanted: (id: number) => boolean = () => true,
  pauses = new Pauses(),
): AsyncIterable<ArchivedRow> {
  const { owner, order, noun } = table
  const pages = read.exportedRows.rowsOf(table, order[0] === owner ? isWanted : () => true)
  for await (const page of pages) {
    for (const row of page) {
      if (owner !== undefined && !isWanted(Number(row[owner]))) continue
      // Channels are chosen beforehand.
      if (noun === 'channel' && !known.has([noun, Number(row.id)])) continue
      const left = withoutUnknown(row, table, known)
      if (!left) continue
      if (noun) known.add(noun, Number(row.id))
      yield left
    }
    await pauses.letOthers()
  }
}

function withoutUnknown(row: ArchivedRow, { columns }: ArchivedTable, known: KnownThings): ArchivedRow | undefined {
  const left: Record<string, unknown> = {}
  for (const [name, column] of Object.entries(columns)) {
    const value = column.known ? column.known(row[name], (named) => known.has(named)) : row[name]
    if (value === undefined) return undefined
    left[name] = value
  }
  return left
}
