import type { Knex } from 'knex'
import { tablesOf } from '../tables.ts'

/** User groups. */
export async function userGroups(knex: Knex): Promise<void> {
  const { create } = tablesOf(knex)

  // The system groups, with fixed IDs because group settings name them. Their members follow from the roles.
  await create('user_group', (table) => {
    table.increments('id')
    table.string('name', 100).notNullable()
    table.text('description').notNullable()
    table.boolean('is_system_group').notNullable()
    table.integer('creator_id').unsigned()
    table.bigInteger('created_at')
    table.boolean('is_deactivated').notNullable().defaultTo(false)
    table.text('group_settings', 'mediumtext') // JSON: settings that differ from their defaults
    table.unique(['name'])
  })
  const roles = ['nobody', 'owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone', 'internet']
  await knex('user_group').insert(
    roles.map((role, index) => ({ id: index + 1, name: `role:${role}`, description: '', is_system_group: true })),
  )

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
}
