import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Imported accounts that nobody has used since. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    is_imported_stub: (table) => table.boolean('is_imported_stub').notNullable().defaultTo(false),
  })
}
