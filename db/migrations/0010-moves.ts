import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Tables for moving messages: the account that sends notices, and messages to be indexed again. */
export async function up(knex: Knex): Promise<void> {
  const { bigPrimaryKey, create, addColumns } = tablesOf(knex)
  await addColumns('user', {
    is_system_bot: (table) => table.boolean('is_system_bot').notNullable().defaultTo(false), // belongs to the server, in no list of accounts
  })
  // Messages that the full-text index has under their former topic.
  await create('search_pending', (table) => {
    table.specificType('message_id', bigPrimaryKey).notNullable().primary()
  })
}
