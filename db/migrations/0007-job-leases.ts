import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Which process does a job at the moment. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)
  await create('job_lease', (table) => {
    table.string('name', 50).primary()
    table.string('holder', 36).notNullable() // random ID of a process; empty: nobody yet
    table.bigInteger('held_until').notNullable() // UNIX seconds on the clock of the database; 0: released
  })
}
