import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Icon and logos that an organization has uploaded. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('organization', {
    pictures: (table) => table.text('pictures').nullable(), // JSON: by kind, the key of its picture in their table, and a version
  })
}
