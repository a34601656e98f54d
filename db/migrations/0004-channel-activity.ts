import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** How busy a channel is becomes state of its own: a job counts it, and events tell of it. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('channel', {
    is_recently_active: (table) => table.boolean('is_recently_active').notNullable().defaultTo(true),
    weekly_traffic: (table) => table.integer('weekly_traffic').unsigned(), // null: too new to tell
    // UNIX seconds; 0: never, so the job's first turn counts what was there before.
    activity_counted_at: (table) => table.bigInteger('activity_counted_at').notNullable().defaultTo(0),
  })
}
