import type { Knex } from 'knex'
import { accounts } from './first-release/accounts.ts'
import { channels } from './first-release/channels.ts'
import { events } from './first-release/events.ts'
import { files } from './first-release/files.ts'
import { messages } from './first-release/messages.ts'
import { organization } from './first-release/organization.ts'
import { userGroups } from './first-release/user-groups.ts'

/** The tables of release 0.1.0. Frozen: later changes are migrations of their own. */
export async function up(knex: Knex): Promise<void> {
  // Those that others refer to come first.
  for (const make of [organization, accounts, userGroups, channels, messages, files, events]) await make(knex)
}
