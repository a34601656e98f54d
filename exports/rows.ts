import type { ArchivedTable } from '../db/archive/archived-table.ts'
import type { ArchivedRow } from '../db/repositories/exported-rows.ts'
import type { Readers } from '../db/repositories.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { KnownThings } from './known-things.ts'

/**
 * Yields the exported rows of a table. Removes references to items that were created after the archive began, or that
 * are not exported. Skips rows that contain nothing else.
 *
 * @param known collects the items of these rows
 * @param isWanted whether to export the private rows of a user
 */
export async function* exportedRows(
  read: Readers,
  table: ArchivedTable,
  known: KnownThings,
  isWanted: (id: number) => boolean = () => true,
): AsyncIterable<ArchivedRow> {
  const pauses = new Pauses()
  const { owner, order, noun } = table
  const pages = read.exportedRows.rowsOf(table, order[0] === owner ? isWanted : () => true)
  for await (const page of pages) {
    for (const row of page) {
      if (owner !== undefined && !isWanted(Number(row[owner]))) continue
      // The exported channels were chosen earlier.
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
