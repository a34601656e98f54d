import type { Knex } from 'knex'

/** Notices about the client: from now on the table has those that somebody has seen, where it was made for those still to be shown. */
export async function up(knex: Knex): Promise<void> {
  await knex('onboarding_step').delete()
}
