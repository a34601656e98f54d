import type { Knex } from 'knex'
import { tablesOf } from '../tables.ts'

/** Accounts, and what belongs to one of them. */
export async function accounts(knex: Knex): Promise<void> {
  const { create, exactText } = tablesOf(knex)

  await create('user', (table) => {
    table.increments('id')
    table.string('email', 254).notNullable()
    table.string('email_key', 400).notNullable()
    table.string('full_name', 100).notNullable()
    table.string('full_name_key', 400).notNullable()
    table.integer('role').notNullable()
    table.boolean('is_active').notNullable()
    table.boolean('is_bot').notNullable()
    table.integer('bot_type')
    table.integer('bot_owner_id').unsigned().references('user.id')
    table.boolean('can_create_users').notNullable()
    table.string('timezone', 40).notNullable()
    table.string('avatar_source', 1).notNullable()
    table.integer('avatar_version').notNullable()
    table.bigInteger('date_joined').notNullable()
    table.string('password_hash', 255)
    table.string('api_key_hash', 64).notNullable() // keyed hash: a stolen database reveals no key
    table.string('api_key_encrypted', 255).notNullable() // for POST /fetch_api_key
    table.bigInteger('read_through').unsigned().notNullable() // every message up to here is read
    table.text('settings', 'mediumtext').notNullable() // JSON: user settings that differ from their defaults
    table.boolean('is_system_bot').notNullable().defaultTo(false) // belongs to the server, in no list of accounts
    table.integer('key_version').unsigned().notNullable().defaultTo(1) // number of keys it has had
    table.boolean('can_change_user_emails').notNullable().defaultTo(false)
    table.integer('email_visibility').notNullable().defaultTo(1) // everybody
    table.string('stand_in_email', 300).nullable() // null if everybody sees the real one
    // JSON: values by the ID of the field; null without values.
    table.text('profile_data', 'mediumtext').nullable()
    table.string('avatar_key', 32).nullable() // of the pictures in their table; null: none uploaded
    table.boolean('is_imported_stub').notNullable().defaultTo(false)
    table.text('edited_settings').nullable() // JSON: names; null if unknown
    table.unique(['email_key'])
    table.unique(['api_key_hash']) // authentication
    table.index(['full_name_key']) // mentions by name
  })

  await create('custom_profile_field', (table) => {
    table.increments('id')
    table.integer('type').unsigned().notNullable()
    table.integer('position').unsigned().notNullable()
    table.string('name', 40).notNullable()
    table.string('hint', 80).notNullable()
    table.text('field_data').notNullable() // JSON, or empty
    table.boolean('display_in_profile_summary').notNullable()
    table.boolean('is_required').notNullable()
    table.boolean('editable_by_user').notNullable()
    table.boolean('use_for_user_matching').notNullable()
  })

  // Former roles with their last event, because access to the event log follows the role of the moment.
  await create('role_change', (table) => {
    table.bigIncrements('id')
    table.integer('user_id').unsigned().notNullable()
    table.integer('former_role').notNullable()
    table.bigInteger('to_event_id').unsigned().notNullable() // the last event of the former role
    table.index(['user_id'])
  })

  await create('user_status', (table) => {
    table.integer('user_id').unsigned().notNullable().primary()
    table.string('status_text', 60).notNullable()
    table.string('emoji_name', 100).notNullable()
    table.string('emoji_code', 100).notNullable()
    table.string('reaction_type', 20).notNullable() // all three empty: no emoji
    table.boolean('away').notNullable()
  })

  await create('presence', (table) => {
    table.integer('user_id').unsigned().notNullable().primary()
    table.bigInteger('active_at') // UNIX seconds; null: never
    table.bigInteger('connected_at')
    table.bigInteger('update_id').unsigned().notNullable() // grows with every stored change
    table.index(['update_id'])
  })

  await create('alert_word', (table) => {
    table.bigIncrements('id')
    table.integer('user_id').unsigned().notNullable()
    table.string('word', 100).notNullable()
    table.string('word_key', 400).notNullable()
    table.unique(['user_id', 'word_key'])
  })

  await create('muted_user', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.integer('muted_user_id').unsigned().notNullable()
    table.bigInteger('muted_at').notNullable() // UNIX seconds
    table.primary(['user_id', 'muted_user_id'])
    table.index(['muted_user_id'])
  })

  await create('navigation_view', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.string('fragment', 191).notNullable()
    table.boolean('is_pinned').notNullable()
    table.string('name', 100) // null: a view built into clients
    table.primary(['user_id', 'fragment'])
  })

  await create('onboarding_step', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.string('name', 100).notNullable() // a notice that the user has seen
    table.primary(['user_id', 'name'])
  })

  // Behaviour of bots; a bot without a row has the defaults.
  await create('bot', (table) => {
    table.integer('user_id').unsigned().notNullable().primary()
    table.integer('default_sending_channel_id').unsigned()
    table.integer('default_events_channel_id').unsigned()
    table.boolean('default_all_public_channels').notNullable()
    table.text('services', 'mediumtext').notNullable() // JSON
  })

  await create('bot_storage', (table) => {
    table.integer('bot_id').unsigned().notNullable()
    table.specificType('storage_key', exactText(191)).notNullable()
    table.text('value', 'mediumtext').notNullable()
    table.primary(['bot_id', 'storage_key'])
  })

  await create('device', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('push_key_id').unsigned()
    table.string('push_token_id', 100)
    table.string('pending_push_token_id', 100)
    table.bigInteger('push_token_updated_at') // UNIX seconds
    table.string('push_registration_error_code', 100)
    table.text('push_key_encrypted').nullable() // encrypted with the server's secret
    table.index(['user_id'])
  })

  await create('push_token', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.string('kind', 10).notNullable() // fcm or apns
    table.string('token_hash', 64).notNullable() // SHA-256
    table.unique(['user_id', 'kind', 'token_hash'])
  })

  await create('push_cursor', (table) => {
    table.integer('id').unsigned().primary() // 1
    table.bigInteger('event_id').unsigned().notNullable() // everything up to here is done
    table.integer('user_id').unsigned().notNullable() // within the event after it: everybody up to here
  })

  await create('pushed_message', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.bigInteger('pushed_at').notNullable() // UNIX seconds
    table.primary(['user_id', 'message_id'])
    table.index(['message_id']) // for messages that are deleted or read by many
    table.index(['pushed_at']) // for notifications that no device shows any more
  })
}
