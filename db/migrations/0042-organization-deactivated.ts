import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** A deactivated organization, until an operator reactivates it. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('organization', {
    deactivated_at: (table) => table.bigInteger('deactivated_at').nullable(), // UNIX seconds; null: active
  })
}
