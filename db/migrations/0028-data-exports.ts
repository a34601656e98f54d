import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Exports of the organization's data that administrators asked for. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).create('data_export', (table) => {
    table.increments('id')
    table.string('export_type', 30).notNullable()
    table.integer('acting_user_id').unsigned().notNullable()
    table.bigInteger('requested_ms').notNullable() // UNIX milliseconds
    table.integer('attempts').unsigned().notNullable() // how often the archive was begun
    table.bigInteger('finished_at') // UNIX seconds, like the next two; all null: not made yet
    table.bigInteger('failed_at')
    table.bigInteger('deleted_at')
    table.string('file_key', 32) // of the archive, as long as there is one
    table.bigInteger('size') // bytes
  })
}
