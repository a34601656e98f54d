import type { Knex } from 'knex'

/** From now on the table has the notices that a user has seen, instead of those still to be shown. */
export async function up(knex: Knex): Promise<void> {
  await knex('onboarding_step').delete()
}
