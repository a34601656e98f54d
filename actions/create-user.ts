import type { NewUser } from '../db/repositories/users.ts'
import type { Tx } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { toWireUser, type User } from '../domain/users/user.ts'
import { userSettings } from '../domain/users/user-settings.ts'
import { tellSystemGroups } from './tell-system-groups.ts'

/**
 * Makes an account, whose settings begin with the language of the organization and what else that has for new accounts, and tells
 * everybody.
 * @throws {BadRequestError} when the address is taken
 */
export async function createUser(tx: Tx, newUser: NewUser): Promise<User> {
  const user = await tx.users.insert(newUser)
  if (!user) throw new BadRequestError('Email is already in use.')
  const { default_language } = tx.organization.settings
  const isOther = default_language !== userSettings({}).default_language
  const settings = { ...(await tx.organizations.newAccountSettings()), ...(isOther && { default_language }) }
  if (Object.keys(settings).length > 0) await tx.users.updateSettings(user.id, settings)
  tx.events.append(
    { type: 'realm_user', op: 'add', person: toWireUser(user, { clientGravatar: false }) },
    { to: 'everyone' },
  )
  await tellSystemGroups(tx, undefined, user)
  return user
}
