import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { MAX_ID, type UserId } from '../domain/ids.ts'
import { hasRole } from '../domain/users/roles.ts'
import type { User } from '../domain/users/user.ts'
import type { Actor } from './actor.ts'

/**
 * Returns a bot that `actor` manages, deactivated ones included. Users manage their own bots; administrators manage
 * every bot except those that are owners of the organization, because a person with a bot's key acts with the bot's
 * role.
 *
 * @throws {BadRequestError}
 */
export async function accessBot(read: Readers, actor: Actor, id: number): Promise<User> {
  const [bot] = id <= MAX_ID ? await read.users.byIds([id as UserId]) : []
  if (!bot?.isBot) throw new BadRequestError('No such bot')
  const isManager = bot.botOwnerId === actor.id || hasRole(actor.role, 'administrator')
  if (!isManager) throw new BadRequestError('Insufficient permission')
  refuseBotAbove(actor, bot)
  return bot
}

/** @throws {BadRequestError} if the bot may do more than `actor` */
export function refuseBotAbove(actor: Actor, bot: User): void {
  if (bot.role < actor.role) throw new BadRequestError('Insufficient permission')
}
