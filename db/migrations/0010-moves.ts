import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** What moves of messages need: somebody who tells of them, and what is to be indexed again. */
export async function up(knex: Knex): Promise<void> {
  const { bigPrimaryKey, create, addColumns } = tablesOf(knex)
  await addColumns('user', {
    is_system_bot: (table) => table.boolean('is_system_bot').notNullable().defaultTo(false), // of the server, in no list of accounts
  })
  // Messages that the full-text index knows by the topic that they were in before.
  await create('search_pending', (table) => {
    table.specificType('message_id', bigPrimaryKey).notNullable().primary()
  })
}
