import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Pictures that users have chosen. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    avatar_key: (table) => table.string('avatar_key', 32).nullable(), // of the pictures in their table; null: none uploaded
  })
}
