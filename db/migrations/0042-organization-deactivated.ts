import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** An organization that serves nobody until an operator brings it back. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('organization', {
    deactivated_at: (table) => table.bigInteger('deactivated_at').nullable(), // UNIX seconds; null: it is active
  })
}
