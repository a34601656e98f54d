import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Tables for everyday use: flags, reactions, edits, topics, status, presence, own settings, files. */
export async function up(knex: Knex): Promise<void> {
  const { create, createFullText, exactText, addColumns, addIndex, addFlagIndex } = tablesOf(knex)

  await addColumns('message', {
    has_image: (table) => table.boolean('has_image').notNullable().defaultTo(false),
    has_attachment: (table) => table.boolean('has_attachment').notNullable().defaultTo(false),
  })
  // Messages received in a channel, for compacting read blocks.
  await addIndex('message', ['origin_channel_id', 'id'])
  // Narrows has:image, has:attachment, has:link and is:mentioned.
  for (const flag of ['has_image', 'has_attachment', 'has_link', 'mentions_channel']) {
    await addFlagIndex('message', flag)
  }
  // Users who can still see a message because they flagged it, and are told of its changes.
  await addIndex('message_flag', ['message_id'])

  await createFullText('message_search')
  // Messages older than the index: up to this ID they still have to be indexed.
  await create('search_backlog', (table) => {
    table.integer('id').unsigned().primary()
    table.bigInteger('up_to_message_id').unsigned().notNullable()
  })
  const newest = (await knex('message').max({ id: 'id' }).first()) as { id: number | null } | undefined
  await knex('search_backlog').insert({ id: 1, up_to_message_id: newest?.id ?? 0 })
  // Connected users: only they can be told of an edit, with their own flags.
  await addIndex('event_queue', ['user_id'])

  // IDs are in the order in which people reacted.
  await create('reaction', (table) => {
    table.bigIncrements('id')
    table.bigInteger('message_id').unsigned().notNullable()
    table.integer('user_id').unsigned().notNullable()
    table.string('reaction_type', 20).notNullable()
    table.string('emoji_code', 100).notNullable()
    table.string('emoji_name', 100).notNullable()
    table.unique(['message_id', 'user_id', 'reaction_type', 'emoji_code'])
  })
  await create('submessage', (table) => {
    table.bigIncrements('id')
    table.bigInteger('message_id').unsigned().notNullable()
    table.integer('sender_id').unsigned().notNullable()
    table.string('msg_type', 40).notNullable()
    table.text('content', 'mediumtext').notNullable() // JSON
    table.index(['message_id'])
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
  // Former roles with their last event, because access to the event log follows the role of the moment.
  await create('role_change', (table) => {
    table.bigIncrements('id')
    table.integer('user_id').unsigned().notNullable()
    table.integer('former_role').notNullable()
    table.bigInteger('to_event_id').unsigned().notNullable() // the last event of the former role
    table.index(['user_id'])
  })

  await create('bot_storage', (table) => {
    table.integer('bot_id').unsigned().notNullable()
    table.specificType('storage_key', exactText(191)).notNullable()
    table.text('value', 'mediumtext').notNullable()
    table.primary(['bot_id', 'storage_key'])
  })

  await create('attachment', (table) => {
    table.increments('id')
    table.string('path_id', 191).notNullable()
    table.string('file_name', 255).notNullable()
    table.string('content_type', 100).notNullable()
    table.bigInteger('size').notNullable() // bytes
    table.integer('owner_id').unsigned().notNullable()
    table.bigInteger('created_at').notNullable() // UNIX seconds
    table.unique(['path_id'])
    table.index(['owner_id'])
  })
  await create('attachment_message', (table) => {
    table.integer('attachment_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.primary(['attachment_id', 'message_id'])
    table.index(['message_id'])
  })

  // Size of all files, counted as they come and go: with a sum over all rows every upload would wait for it.
  await addColumns('organization', {
    upload_space_used: (table) => table.bigInteger('upload_space_used').notNullable().defaultTo(0), // bytes
  })

  // Custom groups come later; these tables are empty until then.
  await addColumns('user_group', {
    creator_id: (table) => table.integer('creator_id').unsigned(),
    created_at: (table) => table.bigInteger('created_at'),
    is_deactivated: (table) => table.boolean('is_deactivated').notNullable().defaultTo(false),
    group_settings: (table) => table.text('group_settings', 'mediumtext'), // JSON: settings that differ from their defaults
  })
  await create('user_group_member', (table) => {
    table.integer('group_id').unsigned().notNullable()
    table.integer('user_id').unsigned().notNullable()
    table.primary(['group_id', 'user_id'])
    table.index(['user_id'])
  })
  await create('user_group_subgroup', (table) => {
    table.integer('group_id').unsigned().notNullable()
    table.integer('subgroup_id').unsigned().notNullable()
    table.primary(['group_id', 'subgroup_id'])
    table.index(['subgroup_id'])
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
}
