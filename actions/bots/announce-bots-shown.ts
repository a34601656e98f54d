import type { Tx } from '../../db/repositories.ts'
import { hasRole, type Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import { announceToSelf } from '../announce-to-self.ts'

/**
 * Tells a user whose role becomes `role` which bots the user now manages, or no longer manages: administrators manage
 * all bots.
 */
export async function announceBotsShown(tx: Tx, user: User, role: Role): Promise<void> {
  const [was, is] = [hasRole(user.role, 'administrator'), hasRole(role, 'administrator')]
  if (was === is) return
  const own = new Set((await tx.bots.of(user.id)).map((bot) => bot.user_id))
  for (const bot of await tx.bots.of(undefined)) {
    if (own.has(bot.user_id)) continue
    if (is) announceToSelf(tx, user.id, { type: 'realm_bot', op: 'add', bot })
    else announceToSelf(tx, user.id, { type: 'realm_bot', op: 'delete', bot: { user_id: bot.user_id } })
  }
}
