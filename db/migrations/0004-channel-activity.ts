import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/**
 * How busy a channel is becomes state of its own: a job counts it, and events tell of it. And the few private channels that
 * somebody may read by a group, without following them, are found by an index.
 */
export async function up(knex: Knex): Promise<void> {
  const { addColumns, addFlagIndex } = tablesOf(knex)
  await addColumns('channel', {
    is_recently_active: (table) => table.boolean('is_recently_active').notNullable().defaultTo(true),
    weekly_traffic: (table) => table.integer('weekly_traffic').unsigned(), // null: too new to tell
    // UNIX seconds; 0: never, so the job's first turn counts what was there before.
    activity_counted_at: (table) => table.bigInteger('activity_counted_at').notNullable().defaultTo(0),
    has_group_readers: (table) => table.boolean('has_group_readers').notNullable().defaultTo(false),
  })
  await knex('channel')
    .where('invite_only', true)
    .andWhere((named) =>
      named
        .where('group_settings', 'like', '%"can_subscribe_group"%')
        .orWhere('group_settings', 'like', '%"can_add_subscribers_group"%'),
    )
    .update({ has_group_readers: true })
  await addFlagIndex('channel', 'has_group_readers')
}
