import type { Readers } from '../db/repositories.ts'
import { NoSuchUserError } from '../domain/errors.ts'
import { MAX_ID, type UserId } from '../domain/ids.ts'
import { emailKey } from '../domain/text/text-keys.ts'
import { apiEmail, type User } from '../domain/users/user.ts'

const ID = /^\d+$/
const STAND_IN = /^user(\d+)@(.+)$/

/** Any account, deactivated ones too. Everybody can access everybody so far. @throws {NoSuchUserError} when there is none */
export async function accessUser(read: Readers, id: number): Promise<User> {
  const [user] = id <= MAX_ID ? await read.users.byIds([id as UserId]) : []
  if (!user) throw new NoSuchUserError()
  return user
}

/**
 * The account with this id in decimal digits, this address, or the stand-in address of this id (USER-EMAIL-1 to
 * USER-EMAIL-3); deactivated ones, too.
 * @param host of the organization, for stand-in addresses
 * @throws {NoSuchUserError}
 */
export async function accessUserByName(read: Readers, idOrEmail: string, host: string): Promise<User> {
  if (ID.test(idOrEmail)) return accessUser(read, Number(idOrEmail))
  const [, id, domain = ''] = STAND_IN.exec(idOrEmail) ?? []
  const byStandIn = id !== undefined && emailKey(domain) === emailKey(host)
  const [byEmail] = await read.users.byEmails([idOrEmail])
  // An address that is hidden addresses nobody.
  if (byEmail && emailKey(apiEmail(byEmail)) === emailKey(idOrEmail)) return byEmail
  if (byStandIn) return accessUser(read, Number(id))
  throw new NoSuchUserError()
}
