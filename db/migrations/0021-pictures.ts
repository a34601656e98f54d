import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Small pictures that the server made of uploads; they are in every backup of the database. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).create('picture', (table) => {
    table.string('path', 191).notNullable().primary() // such as `emoji/…`: kind of picture and file name
    table.specificType('bytes', 'mediumblob').notNullable()
  })
}
