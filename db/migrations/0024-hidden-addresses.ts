import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Users can hide their addresses: from whom, and the address under which the API shows them instead. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    email_visibility: (table) => table.integer('email_visibility').notNullable().defaultTo(1), // everybody
    stand_in_email: (table) => table.string('stand_in_email', 300).nullable(), // null if everybody sees the real one
  })
}
