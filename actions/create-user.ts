import type { NewUser } from '../db/repositories/users.ts'
import type { Tx } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { toWireUser, type User } from '../domain/users/user.ts'
import { tellSystemGroups } from './tell-system-groups.ts'

/**
 * Makes an account and tells everybody.
 * @throws {BadRequestError} when the address is taken
 */
export async function createUser(tx: Tx, newUser: NewUser): Promise<User> {
  const user = await tx.users.insert(newUser)
  if (!user) throw new BadRequestError('Email is already in use.')
  tx.events.append(
    { type: 'realm_user', op: 'add', person: toWireUser(user, { clientGravatar: false }) },
    { to: 'everyone' },
  )
  await tellSystemGroups(tx, undefined, user)
  return user
}
