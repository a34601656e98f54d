import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Domains get IDs. Nothing has written to the table before. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).create('email_domain', (table) => {
    table.increments('id')
    table.string('domain', 191).notNullable() // as text-keys.ts folds addresses
    table.boolean('allow_subdomains').notNullable()
    table.unique(['domain'])
  })
}
