import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** How far push notifications have followed the log, and which messages devices show. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)
  await create('push_cursor', (table) => {
    table.integer('id').unsigned().primary() // 1
    table.bigInteger('event_id').unsigned().notNullable() // everything up to here is done
    table.integer('user_id').unsigned().notNullable() // within the event after it: everybody up to here
  })
  await create('pushed_message', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.bigInteger('pushed_at').notNullable() // UNIX seconds
    table.primary(['user_id', 'message_id'])
    table.index(['message_id']) // for messages that are deleted or read by many
    table.index(['pushed_at']) // for notifications that no device shows any more
  })
}
