import type { Knex } from 'knex'

/** From now on a bot has no higher role than its owner; a lower code is a higher role. */
export async function up(knex: Knex): Promise<void> {
  // MySQL cannot update a table that the statement reads unless it reads a copy; `distinct` makes one.
  const owners = '(select id from (select distinct id from user where role = ?) as owner)'
  for (const role of [200, 300, 400, 600]) {
    await knex.raw(`update user set role = ? where role < ? and bot_owner_id in ${owners}`, [role, role, role])
  }
}
