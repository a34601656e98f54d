import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Which of their settings people have changed themselves. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    edited_settings: (table) => table.text('edited_settings').nullable(), // JSON: names; null where nothing is known of it
  })
}
