import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** What people said of themselves in the fields that the organization added to profiles. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    // JSON: values by the id of the field; null for who said nothing.
    profile_data: (table) => table.text('profile_data', 'mediumtext').nullable(),
  })
}
