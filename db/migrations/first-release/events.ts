import type { Knex } from 'knex'
import { tablesOf } from '../tables.ts'

/** The event log, and the tables that depend on it. */
export async function events(knex: Knex): Promise<void> {
  const { bigPrimaryKey, create } = tablesOf(knex)

  // The counter of message and event IDs. A writer locks this row until its commit, so IDs commit in order.
  await create('log_head', (table) => {
    table.integer('id').unsigned().primary()
    table.bigInteger('last_message_id').unsigned().notNullable()
    table.bigInteger('last_event_id').unsigned().notNullable()
    table.bigInteger('event_bytes').unsigned().notNullable().defaultTo(0) // of all events so far
  })
  await knex('log_head').insert({ id: 1, last_message_id: 0, last_event_id: 0 })

  await create('event', (table) => {
    table.specificType('id', bigPrimaryKey).notNullable().primary()
    table.integer('width').unsigned().notNullable() // IDs reserved: id … id + width - 1
    table.string('type', 60).notNullable()
    table.text('payload', 'mediumtext').notNullable() // JSON, stored once however many may see it
    table.text('audience', 'mediumtext').notNullable() // JSON: a description, never one row for each recipient
    table.bigInteger('created_at').notNullable()
    // Bytes of all events added to the log before this one, including those deleted since.
    table.bigInteger('bytes_before').unsigned().notNullable().defaultTo(0)
  })

  await create('event_queue', (table) => {
    table.string('id', 36).primary()
    table.integer('user_id').unsigned().notNullable().references('user.id')
    table.text('descriptor', 'mediumtext').notNullable() // JSON: event types, narrow, client capabilities
    table.bigInteger('start_event_id').unsigned().notNullable()
    table.bigInteger('last_event_id').unsigned().notNullable() // acknowledged; stored lazily
    table.bigInteger('last_seen_at').notNullable() // UNIX seconds, stored lazily
    table.integer('idle_timeout_seconds').unsigned().notNullable()
    table.index(['user_id']) // connected users: only they can be told of an edit, with their own flags
  })

  await create('job_lease', (table) => {
    table.string('name', 50).primary()
    table.string('holder', 36).notNullable() // random ID of a process; empty: nobody yet
    table.bigInteger('held_until').notNullable() // UNIX seconds on the clock of the database; 0: released
  })
}
