import type { Knex } from 'knex'
import { tablesOf } from '../tables.ts'

/** The organization, and what belongs to all of it. */
export async function organization(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)

  // One organization per database: this table has one row.
  await create('organization', (table) => {
    table.integer('id').unsigned().primary()
    table.string('uuid', 36).notNullable()
    table.string('string_id', 40).notNullable()
    table.string('name', 40).notNullable()
    table.text('description').notNullable()
    table.bigInteger('created_at').notNullable()
    table.string('secret_check', 64).notNullable() // of the secret with which the API keys below were made
    table.text('settings', 'mediumtext').notNullable() // JSON: settings that differ from their defaults
    // Size of all files, counted as they come and go: with a sum over all rows every upload would wait for it.
    table.bigInteger('upload_space_used').notNullable().defaultTo(0) // bytes
    table.text('new_account_settings', 'mediumtext') // JSON: settings that differ from their defaults
    table.text('pictures').nullable() // JSON: by kind, the key of the picture in its table, and a version
    table.bigInteger('deactivated_at').nullable() // UNIX seconds; null: active
  })

  await create('email_domain', (table) => {
    table.increments('id')
    table.string('domain', 191).notNullable() // as text-keys.ts folds addresses
    table.boolean('allow_subdomains').notNullable()
    table.unique(['domain'])
  })

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

  await create('data_export', (table) => {
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

  await create('linkifier', (table) => {
    table.increments('id')
    table.integer('position').unsigned().notNullable()
    table.text('pattern').notNullable()
    table.text('url_template').notNullable()
    table.text('example_input')
    table.text('reverse_template')
    table.text('alternative_url_templates').notNullable() // JSON: strings
  })

  await create('playground', (table) => {
    table.increments('id')
    table.string('name', 191).notNullable()
    table.string('pygments_language', 40).notNullable()
    table.text('url_template').notNullable()
  })

  await create('custom_emoji', (table) => {
    table.increments('id')
    table.string('name', 100).notNullable()
    table.string('file_name', 191).notNullable()
    table.integer('author_id').unsigned()
    table.boolean('is_deactivated').notNullable()
    table.boolean('is_animated').notNullable()
    table.index(['name'])
  })

  await create('picture', (table) => {
    table.string('path', 191).notNullable().primary() // such as `emoji/…`: kind of picture and file name
    table.specificType('bytes', 'mediumblob').notNullable()
  })
}
