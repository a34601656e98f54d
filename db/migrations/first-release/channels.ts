import type { Knex } from 'knex'
import { tablesOf } from '../tables.ts'

/** Channels, topics and subscriptions. */
export async function channels(knex: Knex): Promise<void> {
  const { create, addFlagIndex } = tablesOf(knex)

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
    table.boolean('is_recently_active').notNullable().defaultTo(true)
    table.integer('weekly_traffic').unsigned() // null: too new to say
    // UNIX seconds; 0 means never, so the job's first turn counts all earlier messages.
    table.bigInteger('activity_counted_at').notNullable().defaultTo(0)
    table.boolean('has_group_readers').notNullable().defaultTo(false)
    // Subscribers with active accounts.
    table.integer('subscriber_count').notNullable().defaultTo(0)
    table.bigInteger('first_message_id').unsigned() // null: nothing was sent to it
    table.unique(['name_key'])
  })
  await addFlagIndex('channel', 'has_group_readers')

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

  // A row per spelling: topics compare by topic_key, messages keep the spelling they were sent with.
  await create('topic', (table) => {
    table.bigIncrements('id')
    table.integer('channel_id').unsigned().notNullable().references('channel.id')
    table.string('name', 60).notNullable()
    table.string('topic_key', 240).notNullable()
    table.bigInteger('max_message_id').unsigned().notNullable()
    table.unique(['channel_id', 'topic_key', 'name'])
  })

  // Only what differs from the channel: a row for each topic that somebody muted, unmuted or follows.
  await create('user_topic', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.integer('channel_id').unsigned().notNullable()
    table.string('topic_key', 240).notNullable()
    table.string('topic_name', 60).notNullable() // the spelling with which it was set
    table.integer('visibility_policy').notNullable() // 1 muted, 2 unmuted, 3 followed
    table.bigInteger('last_updated').notNullable() // UNIX seconds
    table.primary(['user_id', 'channel_id', 'topic_key'])
    table.index(['channel_id', 'topic_key'])
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
}
