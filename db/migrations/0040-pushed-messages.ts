import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** How far notifications for devices have followed the log, and which messages they show. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)
  await create('push_cursor', (table) => {
    table.integer('id').unsigned().primary() // 1
    table.bigInteger('event_id').unsigned().notNullable() // everything up to here is done
    table.integer('user_id').unsigned().notNullable() // of the event after it: everybody up to here
  })
  await create('pushed_message', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.bigInteger('pushed_at').notNullable() // UNIX seconds
    table.primary(['user_id', 'message_id'])
    table.index(['message_id']) // when it is deleted, or many have read it
    table.index(['pushed_at']) // those that nobody shows any more
  })
}
