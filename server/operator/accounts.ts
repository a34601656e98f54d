import { randomBytes } from 'node:crypto'
import { subscribeUsers } from '../../actions/subscriptions/subscribe-users.ts'
import { createUser } from '../../actions/users/create-user.ts'
import type { NewUser } from '../../db/repositories/users.ts'
import type { Readers, Tx } from '../../db/repositories.ts'
import { unixSeconds } from '../../domain/clock.ts'
import type { UserId } from '../../domain/ids.ts'
import { hostOf, type Site } from '../../domain/organization/server-settings.ts'
import { ROLE, type Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import { type Actor, asActor } from '../../permissions/actor.ts'
import { ADMIN_COMMAND } from '../command-names.ts'
import { OperatorError, type Outcome, type RowsOfServer } from './command.ts'

/** Finds the account that an operator names by address or ID. @throws {OperatorError} */
export async function accountOf(read: Pick<Readers, 'users'>, word: string): Promise<User> {
  const user = /^\d+$/.test(word)
    ? await read.users.byId(Number(word) as UserId)
    : (await read.users.byEmails([word]))[0]
  if (!user) throw new OperatorError(`There is no account ${word}: ${ADMIN_COMMAND} list shows all`)
  return user
}

/** Same as above, for an active person. @throws {OperatorError} */
export async function activePersonOf(read: Pick<Readers, 'users'>, word: string): Promise<Actor> {
  const user = await accountOf(read, word)
  if (user.isBot || !user.isActive) throw new OperatorError(`${user.email} is no active person`)
  return asActor(user)
}

/** Returns the person who acts: `word`, or else an owner. @throws {OperatorError} */
export async function actingPerson(tx: Tx, word: string | undefined): Promise<Actor> {
  const [owner] = await tx.users.activeOwnerIds()
  if (word === undefined && owner === undefined) {
    throw new OperatorError(`No active person owns the organization: ${ADMIN_COMMAND} make-owner`)
  }
  return activePersonOf(tx, word ?? String(owner))
}

/** @throws {OperatorError} for an unknown role */
export function roleOf(word: string): Role {
  const role = Object.entries(ROLE).find(([name]) => name === word)?.[1]
  if (role === undefined) throw new OperatorError(`There is no role ${word}: ${Object.keys(ROLE).join(', ')}`)
  return role
}

type NewPerson = Pick<NewUser, 'email' | 'fullName' | 'role' | 'passwordHash'> & { readonly apiKey: string }

/** Makes an account for a person, who follows the default channels. */
export async function makePerson(
  tx: Tx,
  { apiKey, ...person }: NewPerson,
  { secrets, clock, site }: Omit<RowsOfServer, 'db'>,
): Promise<User> {
  const isOwner = person.role === ROLE.owner
  const account = {
    ...person,
    isBot: false,
    botOwnerId: null,
    canCreateUsers: isOwner,
    canChangeUserEmails: isOwner,
    dateJoined: unixSeconds(clock),
    ...secrets.storedApiKey(apiKey),
  }
  const made = await createUser(tx, account, hostOf(site))
  await subscribeUsers(tx, await tx.channels.byIds(await tx.defaultChannels.ids()), [made])
  return made
}

/** Returns a generated password with 72 random bits. */
export function newPassword(): string {
  return randomBytes(9).toString('base64url')
}

export function roleName(role: Role): string {
  return Object.entries(ROLE).find(([, value]) => value === role)?.[0] ?? String(role)
}

/** Returns the file that a program needs to act as an account. */
export function keyFile(email: string, key: string, { publicUrl }: Site): Outcome {
  const data = { email, key, site: publicUrl }
  return { data, lines: ['[api]', ...Object.entries(data).map(([name, value]) => `${name}=${value}`)] }
}
