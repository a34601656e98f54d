import type { Knex } from 'knex'

/** A bot has no higher role than its owner from now on (a lower code is a higher role). */
export async function up(knex: Knex): Promise<void> {
  const ofOwner = '(select owner.role from user as owner where owner.id = user.bot_owner_id)'
  await knex.raw(`update user set role = ${ofOwner} where bot_owner_id is not null and role < ${ofOwner}`)
}
