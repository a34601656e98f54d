import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

const SIZE = 'octet_length(payload) + octet_length(audience)'
const SUMS = `select id, sum(size) over (order by id) - size as earlier from (select id, ${SIZE} as size from event) as sizes`

/** Makes the size of the log between two events known without looking at those in between. */
export async function up(knex: Knex): Promise<void> {
  const { addColumns } = tablesOf(knex)
  await addColumns('event', {
    // Bytes of all events added to the log before this one, including those deleted since.
    bytes_before: (table) => table.bigInteger('bytes_before').unsigned().notNullable().defaultTo(0),
  })
  await addColumns('log_head', {
    event_bytes: (table) => table.bigInteger('event_bytes').unsigned().notNullable().defaultTo(0), // of all events so far
  })
  const isSqlite = knex.client.config.client === 'better-sqlite3'
  await knex.raw(
    isSqlite
      ? `update event set bytes_before = sums.earlier from (${SUMS}) as sums where sums.id = event.id`
      : `update event join (${SUMS}) as sums on sums.id = event.id set event.bytes_before = sums.earlier`,
  )
  await knex.raw(`update log_head set event_bytes = (select coalesce(sum(${SIZE}), 0) from event)`)
}
