import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Exports that administrators requested. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).create('data_export', (table) => {
    table.increments('id')
    table.string('export_type', 30).notNullable()
    table.integer('acting_user_id').unsigned().notNullable()
    table.bigInteger('requested_ms').notNullable() // UNIX milliseconds
    table.integer('attempts').unsigned().notNullable() // how often making the archive was begun
    table.bigInteger('finished_at') // UNIX seconds, like the next two; all null: not made yet
    table.bigInteger('failed_at')
    table.bigInteger('deleted_at')
    table.string('file_key', 32) // of the archive, while there is one
    table.bigInteger('size') // bytes
  })
}
