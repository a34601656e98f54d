import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Tables for the initial state of clients, empty until later operations fill them. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)

  // Of one user.
  await create('draft', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.string('type', 10).notNullable() // empty, stream or private
    table.text('recipients').notNullable() // JSON: IDs of the channel or of users
    table.string('topic', 60).notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.bigInteger('edited_at').notNullable() // UNIX seconds
    table.index(['user_id', 'edited_at'])
  })
  await create('saved_snippet', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.string('title', 60).notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.bigInteger('created_at').notNullable() // UNIX seconds
    table.index(['user_id'])
  })
  await create('scheduled_message', (table) => {
    table.increments('id')
    table.integer('sender_id').unsigned().notNullable()
    table.integer('channel_id').unsigned() // null: to `recipients`
    table.text('recipients').notNullable() // JSON: IDs of users
    table.string('topic', 60).notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.text('rendered_content', 'mediumtext').notNullable()
    table.bigInteger('deliver_at').notNullable() // UNIX seconds
    table.boolean('has_failed').notNullable()
    table.boolean('is_delivered').notNullable()
    table.boolean('read_by_sender').notNullable()
    table.index(['sender_id', 'is_delivered', 'deliver_at'])
    table.index(['is_delivered', 'deliver_at']) // what is due
  })
  await create('reminder', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.text('rendered_content', 'mediumtext').notNullable()
    table.bigInteger('deliver_at').notNullable() // UNIX seconds
    table.boolean('has_failed').notNullable()
    table.boolean('is_delivered').notNullable()
    table.index(['user_id', 'is_delivered', 'deliver_at'])
    table.index(['is_delivered', 'deliver_at']) // what is due
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
    table.string('name', 100).notNullable() // a notice that has not been shown yet
    table.primary(['user_id', 'name'])
  })
  await create('device', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('push_key_id').unsigned()
    table.string('push_token_id', 100)
    table.string('pending_push_token_id', 100)
    table.bigInteger('push_token_updated_at') // UNIX seconds
    table.string('push_registration_error_code', 100)
    table.index(['user_id'])
  })

  // Of the organization.
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
  await create('email_domain', (table) => {
    table.string('domain', 191).notNullable().primary()
    table.boolean('allow_subdomains').notNullable()
  })
  await create('default_channel', (table) => {
    table.integer('channel_id').unsigned().notNullable().primary()
  })
  await create('default_channel_group', (table) => {
    table.increments('id')
    table.string('name', 60).notNullable()
    table.text('description').notNullable()
  })
  await create('default_channel_group_channel', (table) => {
    table.integer('group_id').unsigned().notNullable()
    table.integer('channel_id').unsigned().notNullable()
    table.primary(['group_id', 'channel_id'])
  })
  await create('channel_folder', (table) => {
    table.increments('id')
    table.string('name', 60).notNullable()
    table.text('description').notNullable()
    table.text('rendered_description').notNullable()
    table.integer('position').unsigned().notNullable()
    table.integer('creator_id').unsigned()
    table.bigInteger('created_at') // UNIX seconds
    table.boolean('is_archived').notNullable()
  })
  // Behaviour of bots; a bot without a row has the defaults.
  await create('bot', (table) => {
    table.integer('user_id').unsigned().notNullable().primary()
    table.integer('default_sending_channel_id').unsigned()
    table.integer('default_events_channel_id').unsigned()
    table.boolean('default_all_public_channels').notNullable()
    table.text('services', 'mediumtext').notNullable() // JSON
  })
}
