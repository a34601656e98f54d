import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Push notifications: the key that encrypts them, and tokens of the older way to register. */
export async function up(knex: Knex): Promise<void> {
  const { addColumns, create } = tablesOf(knex)
  await addColumns('device', {
    push_key_encrypted: (table) => table.text('push_key_encrypted').nullable(), // encrypted with the server's secret
  })
  await create('push_token', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.string('kind', 10).notNullable() // fcm or apns
    table.string('token_hash', 64).notNullable() // SHA-256
    table.unique(['user_id', 'kind', 'token_hash'])
  })
}
