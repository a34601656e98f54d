import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Tables of the first operations. Frozen: later changes are migrations of their own. */
export async function up(knex: Knex): Promise<void> {
  const { bigPrimaryKey, create } = tablesOf(knex)

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
  })

  // The counter of message and event IDs. A writer locks this row until its commit, so IDs commit in order.
  await create('log_head', (table) => {
    table.integer('id').unsigned().primary()
    table.bigInteger('last_message_id').unsigned().notNullable()
    table.bigInteger('last_event_id').unsigned().notNullable()
  })
  await knex('log_head').insert({ id: 1, last_message_id: 0, last_event_id: 0 })

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
    table.unique(['email_key'])
    table.unique(['api_key_hash']) // authentication
    table.index(['full_name_key']) // mentions by name
  })

  await create('channel', (table) => {
    table.increments('id')
    table.string('name', 60).notNullable()
    table.string('name_key', 240).notNullable()
    table.text('description').notNullable()
    table.text('rendered_description', 'mediumtext').notNullable()
    table.integer('creator_id').unsigned().references('user.id')
    table.bigInteger('created_at').notNullable()
    table.boolean('invite_only').notNullable()
    table.boolean('history_public_to_subscribers').notNullable()
    table.boolean('is_web_public').notNullable()
    table.boolean('is_archived').notNullable()
    table.integer('message_retention_days')
    table.string('topics_policy', 30).notNullable()
    table.integer('folder_id').unsigned()
    table.text('group_settings', 'mediumtext').notNullable() // JSON: group settings that differ from their defaults
    table.unique(['name_key'])
  })

  // A row per spelling: topics compare by topic_key, messages keep the spelling they were sent with.
  await create('topic', (table) => {
    table.bigIncrements('id')
    table.integer('channel_id').unsigned().notNullable().references('channel.id')
    table.string('name', 60).notNullable()
    table.string('topic_key', 240).notNullable()
    table.bigInteger('max_message_id').unsigned().notNullable()
    table.unique(['channel_id', 'topic_key', 'name'])
  })

  await create('direct_group', (table) => {
    table.increments('id')
    table.string('members_hash', 64).notNullable() // SHA-256 of the sorted member IDs
    table.unique(['members_hash'])
  })
  await create('direct_group_member', (table) => {
    table.integer('user_id').unsigned().notNullable().references('user.id')
    table.integer('group_id').unsigned().notNullable().references('direct_group.id')
    table.primary(['user_id', 'group_id'])
    table.index(['group_id', 'user_id']) // the members of a conversation
  })

  await create('message', (table) => {
    table.specificType('id', bigPrimaryKey).notNullable().primary()
    table.integer('sender_id').unsigned().notNullable()
    table.integer('channel_id').unsigned() // its present channel
    table.integer('origin_channel_id').unsigned() // the channel it was sent to; never changes, so moves write nothing
    table.bigInteger('topic_id').unsigned()
    table.integer('direct_group_id').unsigned()
    table.bigInteger('sent_at').notNullable()
    table.string('client', 30).notNullable()
    table.boolean('is_me_message').notNullable()
    table.boolean('has_link').notNullable()
    table.boolean('mentions_channel').notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.text('rendered_content', 'mediumtext').notNullable()
    table.bigInteger('last_edited_at')
    table.bigInteger('last_moved_at')
    table.text('edit_history', 'mediumtext') // JSON, newest first
    table.index(['channel_id', 'id', 'topic_id']) // pages of a channel, unread lists
    table.index(['topic_id', 'id', 'sender_id']) // pages of a topic, its participants
    table.index(['direct_group_id', 'id']) // pages of a conversation
    table.index(['sender_id', 'id']) // narrow sender
  })

  await create('subscription', (table) => {
    table.integer('user_id').unsigned().notNullable().references('user.id')
    table.integer('channel_id').unsigned().notNullable().references('channel.id')
    table.boolean('is_active').notNullable()
    table.string('color', 7).notNullable()
    table.boolean('is_muted').notNullable()
    table.boolean('pin_to_top').notNullable()
    table.boolean('desktop_notifications') // null: the user's own default
    table.boolean('audible_notifications')
    table.boolean('push_notifications')
    table.boolean('email_notifications')
    table.boolean('wildcard_mentions_notify')
    table.primary(['user_id', 'channel_id'])
    table.index(['channel_id', 'is_active', 'user_id']) // subscribers of a channel
  })

  // Subscription periods: message IDs say what was received, event IDs who was in an audience.
  await create('subscription_span', (table) => {
    table.bigIncrements('id')
    table.integer('user_id').unsigned().notNullable().references('user.id')
    table.integer('channel_id').unsigned().notNullable().references('channel.id')
    table.bigInteger('after_message_id').unsigned().notNullable()
    table.bigInteger('to_message_id').unsigned() // null: still subscribed
    table.bigInteger('after_event_id').unsigned().notNullable()
    table.bigInteger('to_event_id').unsigned()
    table.index(['user_id', 'channel_id', 'after_message_id', 'to_message_id'], 'subscription_span_received')
    table.index(['channel_id', 'user_id'])
  })

  // Sparse: a row only for flags that were set. Whether a message is read is in read_block.
  await create('message_flag', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.integer('flags').unsigned().notNullable() // bits of domain/messages/flags.ts
    table.primary(['user_id', 'message_id'])
  })
  await create('read_block', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('block').unsigned().notNullable() // message id >> 12
    table.integer('form').unsigned().notNullable() // 0 open: bits of what was read; 1 and 2 are compacted forms
    table.binary('bits', 8192).notNullable()
    table.primary(['user_id', 'block'])
  })

  await create('event', (table) => {
    table.specificType('id', bigPrimaryKey).notNullable().primary()
    table.integer('width').unsigned().notNullable() // IDs reserved: id … id + width - 1
    table.string('type', 60).notNullable()
    table.text('payload', 'mediumtext').notNullable() // JSON, stored once however many may see it
    table.text('audience', 'mediumtext').notNullable() // JSON: a description, never one row for each recipient
    table.bigInteger('created_at').notNullable()
  })
  await create('event_queue', (table) => {
    table.string('id', 36).primary()
    table.integer('user_id').unsigned().notNullable().references('user.id')
    table.text('descriptor', 'mediumtext').notNullable() // JSON: event types, narrow, client capabilities
    table.bigInteger('start_event_id').unsigned().notNullable()
    table.bigInteger('last_event_id').unsigned().notNullable() // acknowledged; stored lazily
    table.bigInteger('last_seen_at').notNullable() // UNIX seconds, stored lazily
    table.integer('idle_timeout_seconds').unsigned().notNullable()
  })

  // The system groups, with fixed IDs because group settings name them. Their members follow from the roles.
  await create('user_group', (table) => {
    table.increments('id')
    table.string('name', 100).notNullable()
    table.text('description').notNullable()
    table.boolean('is_system_group').notNullable()
    table.unique(['name'])
  })
  const systemGroups = [
    'nobody',
    'owners',
    'administrators',
    'moderators',
    'fullmembers',
    'members',
    'everyone',
    'internet',
  ]
  await knex('user_group').insert(
    systemGroups.map((name, index) => ({
      id: index + 1,
      name: `role:${name}`,
      description: '',
      is_system_group: true,
    })),
  )
}
