import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Settings that users have changed themselves. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    edited_settings: (table) => table.text('edited_settings').nullable(), // JSON: names; null if unknown
  })
}
