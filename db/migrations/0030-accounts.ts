import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Invitations, and messages of deleted accounts that still have to be deleted. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)
  await create('invitation', (table) => {
    table.increments('id')
    table.string('email', 254) // null: reusable
    table.string('email_key', 400)
    table.string('key_hash', 64).notNullable() // keyed hash, as for API keys
    table.string('key_encrypted', 255).notNullable() // for GET /invites
    table.integer('invited_by').unsigned().notNullable()
    table.bigInteger('invited_at').notNullable()
    table.bigInteger('minutes') // null: never expires
    table.bigInteger('expires_at')
    table.bigInteger('revoked_at') // only of links; the others are deleted
    table.integer('role').notNullable()
    table.boolean('notifies_inviter').notNullable()
    table.boolean('includes_defaults').notNullable()
    table.text('welcome_text', 'mediumtext') // Markdown; null: no greeting
    table.text('channel_ids', 'mediumtext').notNullable() // JSON
    table.text('group_ids').notNullable() // JSON
    table.unique(['key_hash']) // acceptance
    table.index(['invited_by', 'id']) // invitations of one account
    table.index(['email_key']) // invitations that end when the address is taken
  })
  await create('message_removal', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable() // the sender
    table.bigInteger('through_message_id').unsigned().notNullable() // later messages stay
    table.boolean('of_public_channels').notNullable()
    table.boolean('of_private_channels').notNullable()
    table.boolean('of_conversations').notNullable()
  })
}
