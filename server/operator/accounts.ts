import { randomBytes } from 'node:crypto'
import type { Readers } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import { ROLE, type Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import { ADMIN_COMMAND } from '../command-names.ts'
import { OperatorError } from './command.ts'

/** The account that an operator means by an address or an ID. @throws {OperatorError} */
export async function accountOf(read: Pick<Readers, 'users'>, word: string): Promise<User> {
  const user = /^\d+$/.test(word)
    ? await read.users.byId(Number(word) as UserId)
    : (await read.users.byEmails([word]))[0]
  if (!user) throw new OperatorError(`There is no account ${word}: ${ADMIN_COMMAND} list shows all`)
  return user
}

/** @throws {OperatorError} for a role that there is none of */
export function roleOf(word: string): Role {
  const role = (ROLE as Readonly<Record<string, Role>>)[word]
  if (role === undefined) throw new OperatorError(`There is no role ${word}: ${Object.keys(ROLE).join(', ')}`)
  return role
}

/** One that nobody has to think of: 72 random bits. */
export function newPassword(): string {
  return randomBytes(9).toString('base64url')
}

export function roleName(role: Role): string {
  return Object.entries(ROLE).find(([, value]) => value === role)?.[0] ?? String(role)
}
