import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/**
 * Puts the subscriber count and the first message into the row of a channel, so that lists of channels do not count.
 */
export async function up(knex: Knex): Promise<void> {
  const { addColumns } = tablesOf(knex)
  await addColumns('channel', {
    // Subscribers with active accounts.
    subscriber_count: (table) => table.integer('subscriber_count').notNullable().defaultTo(0),
    first_message_id: (table) => table.bigInteger('first_message_id').unsigned(), // null: nothing was sent to it
  })
  await knex.raw(`update channel set
    subscriber_count = (select count(*) from subscription s join user u on u.id = s.user_id
      where s.channel_id = channel.id and s.is_active = 1 and u.is_active = 1),
    first_message_id = (select min(m.id) from message m where m.channel_id = channel.id)`)
}
