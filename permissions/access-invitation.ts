import type { Readers } from '../db/repositories.ts'
import { NoSuchItemError, UnauthorizedPrincipalError } from '../domain/errors.ts'
import { MAX_ID } from '../domain/ids.ts'
import { type Invitation, isOpen, leastInviterOf } from '../domain/invitations.ts'
import { hasRole, type Role } from '../domain/users/roles.ts'
import type { Actor } from './actor.ts'

/**
 * Returns an invitation that `actor` manages: users manage their own, administrators all. Expired invitations count as
 * nonexistent, revoked links do not.
 *
 * @throws {NoSuchItemError} if it does not exist, or is somebody else's
 * @throws {UnauthorizedPrincipalError} only owners manage those that make owners
 */
export async function accessInvitation(
  read: Pick<Readers, 'invitations' | 'organization'>,
  actor: Actor,
  id: number,
  kind: 'email' | 'link',
): Promise<Invitation> {
  const found = id <= MAX_ID ? await read.invitations.find(id) : undefined
  const isMeant = found !== undefined && (found.email === null) === (kind === 'link')
  const isThere = isMeant && isOpen({ ...found, isRevoked: false }, read.organization.now)
  if (!isThere || !(found.invitedBy === actor.id || hasRole(actor.role, 'administrator'))) {
    throw new NoSuchItemError('No such invitation')
  }
  if (leastInviterOf(found.role) === 'owner') refuseToGive(actor, found.role)
  return found
}

/** @throws {UnauthorizedPrincipalError} if `actor` may not give the role */
export function refuseToGive(actor: Actor, role: Role): void {
  const least = leastInviterOf(role)
  if (least !== 'member' && !hasRole(actor.role, least)) throw new UnauthorizedPrincipalError(least)
}
