import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Scheduled messages and reminders. Nothing has written to the former tables of these names. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)
  await create('scheduled_message', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable() // the sender
    table.integer('channel_id').unsigned() // null: to `recipients`
    table.text('recipients', 'mediumtext').notNullable() // JSON: IDs of users
    table.string('topic', 60).notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.text('rendered_content', 'mediumtext').notNullable()
    table.bigInteger('deliver_at').notNullable() // UNIX seconds
    table.boolean('has_failed').notNullable()
    table.boolean('is_read_by_sender').notNullable()
    table.string('client', 100).notNullable() // name of the sending program
    table.index(['user_id', 'deliver_at'])
    table.index(['has_failed', 'deliver_at']) // what is due
  })
  await create('reminder', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.text('note').notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.text('rendered_content', 'mediumtext').notNullable()
    table.bigInteger('deliver_at').notNullable() // UNIX seconds
    table.boolean('has_failed').notNullable()
    table.index(['user_id', 'deliver_at'])
    table.index(['has_failed', 'deliver_at']) // what is due
  })
}
