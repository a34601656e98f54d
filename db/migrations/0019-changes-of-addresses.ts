import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

/** Permission to change addresses of others, at first for the owners who may create accounts. */
export async function up(knex: Knex): Promise<void> {
  await tablesOf(knex).addColumns('user', {
    can_change_user_emails: (table) => table.boolean('can_change_user_emails').notNullable().defaultTo(false),
  })
  await knex('user')
    .where({ role: 100, can_create_users: true, is_bot: false })
    .update({ can_change_user_emails: true })
}
