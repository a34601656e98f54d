import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** What an account needs whose key can be taken away. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    key_version: (table) => table.integer('key_version').unsigned().notNullable().defaultTo(1), // counts the keys it has had
  })
}
