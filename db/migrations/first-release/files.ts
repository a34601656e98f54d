import type { Knex } from 'knex'
import { tablesOf } from '../tables.ts'

/** Uploaded files. */
export async function files(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)

  await create('attachment', (table) => {
    table.increments('id')
    table.string('path_id', 191).notNullable()
    table.string('file_name', 255).notNullable()
    table.string('content_type', 100).notNullable()
    table.bigInteger('size').notNullable() // bytes
    table.integer('owner_id').unsigned().notNullable()
    table.bigInteger('created_at').notNullable() // UNIX seconds
    table.bigInteger('unused_since').nullable() // UNIX seconds; null while a message refers to it
    table.unique(['path_id'])
    table.index(['owner_id'])
    table.index(['unused_since', 'id'])
  })

  await create('attachment_message', (table) => {
    table.integer('attachment_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.primary(['attachment_id', 'message_id'])
    table.index(['message_id'])
  })

  await create('attachment_history', (table) => {
    table.integer('attachment_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.primary(['attachment_id', 'message_id'])
    table.index(['message_id'])
  })

  await create('image', (table) => {
    table.integer('attachment_id').unsigned().primary()
    table.integer('owner_id').unsigned().notNullable()
    table.integer('width').unsigned().nullable() // pixels, upright; null: not measured yet
    table.integer('height').unsigned().nullable()
    table.boolean('is_animated').notNullable().defaultTo(false)
    table.boolean('is_made').notNullable().defaultTo(false) // its thumbnails exist
    table.boolean('is_broken').notNullable().defaultTo(false) // none can be made
    table.boolean('is_told').notNullable().defaultTo(false) // messages from before show the result
    table.integer('attempts').unsigned().notNullable().defaultTo(0)
    table.index(['is_told', 'owner_id', 'attachment_id']) // work left to do, one account after the other
  })

  await create('thumbnail', (table) => {
    table.integer('attachment_id').unsigned().notNullable()
    table.string('format', 32).notNullable() // such as `840x560.webp`
    table.specificType('bytes', 'mediumblob').notNullable()
    table.primary(['attachment_id', 'format'])
  })
}
