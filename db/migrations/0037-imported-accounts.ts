import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Accounts that came with an archive, and that nobody has logged in to since. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    is_imported_stub: (table) => table.boolean('is_imported_stub').notNullable().defaultTo(false),
  })
}
