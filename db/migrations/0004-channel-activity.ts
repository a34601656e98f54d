import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/**
 * Channel activity becomes a column, which a job counts and events announce. An index finds the few private channels
 * that somebody may read through a group, without a subscription.
 */
export async function up(knex: Knex): Promise<void> {
  const { addColumns, addFlagIndex } = tablesOf(knex)
  await addColumns('channel', {
    is_recently_active: (table) => table.boolean('is_recently_active').notNullable().defaultTo(true),
    weekly_traffic: (table) => table.integer('weekly_traffic').unsigned(), // null: too new to say
    // UNIX seconds; 0: never, so the job's first turn counts everything from before.
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
