import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Values of custom profile fields. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    // JSON: values by the ID of the field; null without values.
    profile_data: (table) => table.text('profile_data', 'mediumtext').nullable(),
  })
}
