import type { Readers } from '../db/database.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { User } from '../domain/user.ts'

/** Any account, deactivated ones too. Everybody can access everybody so far. @throws BadRequestError when there is none */
export async function accessUser(read: Readers, id: number): Promise<User> {
  const [user] = await read.users.byIds([id as UserId])
  if (!user) throw new BadRequestError('No such user')
  return user
}
