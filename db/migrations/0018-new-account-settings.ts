import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Settings of new accounts can be chosen. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('organization', {
    new_account_settings: (table) => table.text('new_account_settings', 'mediumtext'), // JSON: settings that differ from their defaults
  })
}
