import type { Command } from './command.ts'
import { addBot } from './commands/add-bot.ts'
import { addUser } from './commands/add-user.ts'
import { backup } from './commands/backup.ts'
import { changeEmail } from './commands/change-email.ts'
import { changeRole } from './commands/change-role.ts'
import { checkDatabase } from './commands/check-database.ts'
import { deactivateOrganization } from './commands/deactivate-organization.ts'
import { deactivateUser } from './commands/deactivate-user.ts'
import { exportOrganization } from './commands/export.ts'
import { importOrganization } from './commands/import.ts'
import { invite } from './commands/invite.ts'
import { invites } from './commands/invites.ts'
import { list } from './commands/list.ts'
import { makeOwner } from './commands/make-owner.ts'
import { reactivateOrganization } from './commands/reactivate-organization.ts'
import { reactivateUser } from './commands/reactivate-user.ts'
import { renameOrganization } from './commands/rename-organization.ts'
import { resetKey } from './commands/reset-key.ts'
import { resetPassword } from './commands/reset-password.ts'
import { restore } from './commands/restore.ts'
import { revokeInvite } from './commands/revoke-invite.ts'

/** All commands of `npm run admin`, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  list,
  addUser,
  addBot,
  resetKey,
  resetPassword,
  changeEmail,
  changeRole,
  makeOwner,
  deactivateUser,
  reactivateUser,
  invite,
  invites,
  revokeInvite,
  renameOrganization,
  deactivateOrganization,
  reactivateOrganization,
  backup,
  restore,
  checkDatabase,
  exportOrganization,
  importOrganization,
]
