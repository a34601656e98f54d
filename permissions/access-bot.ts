import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { MAX_ID, type UserId } from '../domain/ids.ts'
import { hasRole } from '../domain/users/roles.ts'
import type { User } from '../domain/users/user.ts'
import type { Actor } from './actor.ts'

/**
 * Returns a bot that `actor` manages, deactivated ones included: their own, and for administrators every bot. Except
 * that no administrator manages a bot that is an owner of the organization, because whoever has a bot's key acts with
 * its role.
 *
 * @throws {BadRequestError}
 */
export async function accessBot(read: Readers, actor: Actor, id: number): Promise<User> {
  const [bot] = id <= MAX_ID ? await read.users.byIds([id as UserId]) : []
  if (!bot?.isBot) throw new BadRequestError('No such bot')
  const isManager = bot.botOwnerId === actor.id || hasRole(actor.role, 'administrator')
  if (!isManager || bot.role < actor.role) throw new BadRequestError('Insufficient permission')
  return bot
}
