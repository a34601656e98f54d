import type { Readers } from '../db/database.ts'
import { UnauthorizedPrincipalError, UserDeactivatedError } from '../domain/errors.ts'
import { hasRole } from '../domain/roles.ts'
import type { Actor } from './actor.ts'

/**
 * The caller as they are in this transaction: between authentication and here others may have changed their role, and
 * two who take each other's rights away must not both succeed.
 * @throws {UserDeactivatedError}
 */
export async function presentActor(read: Readers, actor: Actor): Promise<Actor> {
  const [present] = await read.users.byIds([actor.id])
  if (!present?.isActive) throw new UserDeactivatedError()
  return present
}

/** @throws {UnauthorizedPrincipalError} for who is no administrator any more */
export async function presentAdministrator(read: Readers, actor: Actor): Promise<Actor> {
  const present = await presentActor(read, actor)
  if (!hasRole(present.role, 'administrator')) throw new UnauthorizedPrincipalError()
  return present
}
