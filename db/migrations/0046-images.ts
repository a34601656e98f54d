import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Uploaded images and their thumbnails. */
export async function up(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)
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
  await knex.raw(`insert into image (attachment_id, owner_id) select id, owner_id from attachment
    where content_type in ('image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp') and size <= 52428800`)
}
