import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Icon and logos that an organization has uploaded. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('organization', {
    pictures: (table) => table.text('pictures').nullable(), // JSON: by kind, the key of the picture in its table, and a version
  })
}
