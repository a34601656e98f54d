import type { Knex } from 'knex'
import { tablesOf } from '../tables.ts'

/** Messages, conversations, and everything that may become a message. */
export async function messages(knex: Knex): Promise<void> {
  const { bigPrimaryKey, create, addFlagIndex, createFullText } = tablesOf(knex)

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
    table.boolean('has_image').notNullable().defaultTo(false)
    table.boolean('has_attachment').notNullable().defaultTo(false)
    table.index(['channel_id', 'id', 'topic_id']) // pages of a channel, unread lists
    table.index(['topic_id', 'id', 'sender_id']) // pages of a topic, its participants
    table.index(['direct_group_id', 'id']) // pages of a conversation
    table.index(['sender_id', 'id']) // narrow sender
    table.index(['origin_channel_id', 'id']) // messages received in a channel, for compacting read blocks
  })
  // Narrows has:image, has:attachment, has:link and is:mentioned.
  for (const flag of ['has_image', 'has_attachment', 'has_link', 'mentions_channel']) {
    await addFlagIndex('message', flag)
  }

  // Sparse: a row only for flags that were set. Whether a message is read is in read_block.
  await create('message_flag', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.integer('flags').unsigned().notNullable() // bits of domain/messages/flags.ts
    table.primary(['user_id', 'message_id'])
    table.index(['message_id']) // users who can still see a message because they flagged it, and are told of its changes
  })

  await create('read_block', (table) => {
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('block').unsigned().notNullable() // message id >> 12
    table.integer('form').unsigned().notNullable() // 0 open: bits of what was read; 1 and 2 are compacted forms
    table.binary('bits', 8192).notNullable()
    table.primary(['user_id', 'block'])
  })

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

  await create('message_removal', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable() // the sender
    table.bigInteger('through_message_id').unsigned().notNullable() // later messages stay
    table.boolean('of_public_channels').notNullable()
    table.boolean('of_private_channels').notNullable()
    table.boolean('of_conversations').notNullable()
  })
  await createFullText('message_search')

  // Messages older than the index. Those up to this ID still have to be indexed.
  await create('search_backlog', (table) => {
    table.integer('id').unsigned().primary()
    table.bigInteger('up_to_message_id').unsigned().notNullable()
  })
  await knex('search_backlog').insert({ id: 1, up_to_message_id: 0 })

  // Messages that the full-text index has under their former topic.
  await create('search_pending', (table) => {
    table.specificType('message_id', bigPrimaryKey).notNullable().primary()
  })

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
    table.integer('user_id').unsigned().notNullable() // the sender
    table.integer('channel_id').unsigned() // null: to `recipients`
    table.text('recipients', 'mediumtext').notNullable() // JSON: IDs of users
    table.string('topic', 60).notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.text('rendered_content', 'mediumtext').notNullable()
    table.bigInteger('deliver_at').notNullable() // UNIX seconds
    table.boolean('has_failed').notNullable()
    table.boolean('is_read_by_sender').notNullable()
    table.string('client', 100).notNullable() // name of the sending program
    table.index(['user_id', 'deliver_at'])
    table.index(['has_failed', 'deliver_at']) // what is due
  })

  await create('reminder', (table) => {
    table.increments('id')
    table.integer('user_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.text('note').notNullable()
    table.text('content', 'mediumtext').notNullable()
    table.text('rendered_content', 'mediumtext').notNullable()
    table.bigInteger('deliver_at').notNullable() // UNIX seconds
    table.boolean('has_failed').notNullable()
    table.index(['user_id', 'deliver_at'])
    table.index(['has_failed', 'deliver_at']) // what is due
  })
}
