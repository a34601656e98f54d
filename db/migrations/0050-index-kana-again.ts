import type { Knex } from 'knex'

/** Puts all messages into the backlog of the full-text index, which splits Japanese texts in another way now. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('update search_backlog set up_to_message_id = coalesce((select max(id) from message), 0)')
}
