import type { Command } from './command.ts'
import { addBot } from './commands/add-bot.ts'
import { addUser } from './commands/add-user.ts'
import { backup } from './commands/backup.ts'
import { checkDatabase } from './commands/check-database.ts'
import { deactivateOrganization } from './commands/deactivate-organization.ts'
import { exportOrganization } from './commands/export.ts'
import { importOrganization } from './commands/import.ts'
import { invites } from './commands/invites.ts'
import { list } from './commands/list.ts'
import { makeOwner } from './commands/make-owner.ts'
import { reactivateOrganization } from './commands/reactivate-organization.ts'
import { renameOrganization } from './commands/rename-organization.ts'
import { resetKey } from './commands/reset-key.ts'
import { resetPassword } from './commands/reset-password.ts'
import { restore } from './commands/restore.ts'

/** All of `npm run admin`, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  list,
  addUser,
  addBot,
  resetKey,
  resetPassword,
  makeOwner,
  invites,
  renameOrganization,
  deactivateOrganization,
  reactivateOrganization,
  backup,
  restore,
  checkDatabase,
  exportOrganization,
  importOrganization,
]
