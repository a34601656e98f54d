import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Makes API keys replaceable. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    key_version: (table) => table.integer('key_version').unsigned().notNullable().defaultTo(1), // number of keys it has had
  })
}
