import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** How accounts begin and end: invitations, of an address or for many; and what is still to be deleted of what somebody said. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)
  await create('invitation', (table) => {
    table.increments('id')
    table.string('email', 254) // null: many can use it
    table.string('email_key', 400)
    table.string('key_hash', 64).notNullable() // keyed hash, as of API keys
    table.string('key_encrypted', 255).notNullable() // for GET /invites
    table.integer('invited_by').unsigned().notNullable()
    table.bigInteger('invited_at').notNullable()
    table.bigInteger('minutes') // null: without end
    table.bigInteger('expires_at')
    table.bigInteger('revoked_at') // of links alone: the others are deleted
    table.integer('role').notNullable()
    table.boolean('notifies_inviter').notNullable()
    table.boolean('includes_defaults').notNullable()
    table.text('welcome_text', 'mediumtext') // Markdown; null: nobody is greeted
    table.text('channel_ids', 'mediumtext').notNullable() // JSON
    table.text('group_ids').notNullable() // JSON
    table.unique(['key_hash']) // acceptance
    table.index(['invited_by', 'id']) // those of one account
    table.index(['email_key']) // what ends when somebody has the address
  })
  await create('message_removal', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable() // who sent them
    table.bigInteger('through_message_id').unsigned().notNullable() // what is sent later stays
    table.boolean('of_public_channels').notNullable()
    table.boolean('of_private_channels').notNullable()
    table.boolean('of_conversations').notNullable()
  })
}
