import type { Readers } from '../db/repositories.ts'
import { NoSuchUserError } from '../domain/errors.ts'
import { MAX_ID, type UserId } from '../domain/ids.ts'
import { emailKey } from '../domain/text/text-keys.ts'
import { type EmailViewer, parseStandIn, seesEmail } from '../domain/users/email-visibility.ts'
import type { User } from '../domain/users/user.ts'
import { visibleUsers } from './visible-users.ts'

const ID = /^\d+$/

/** Returns any account that `viewer` can see, including deactivated ones. @throws {NoSuchUserError} */
export async function accessUser(read: Readers, viewer: EmailViewer, id: number): Promise<User> {
  const [user] = id <= MAX_ID ? await visibleUsers(read, viewer, await read.users.byIds([id as UserId])) : []
  if (!user) throw new NoSuchUserError()
  return user
}

/**
 * Returns the account with this decimal ID, this address, or this stand-in address (USER-EMAIL-1 to USER-EMAIL-3),
 * deactivated or not.
 *
 * @param host of the organization, for stand-in addresses, which also work if the real one is shown
 * @throws {NoSuchUserError}
 */
export async function accessUserByName(
  read: Readers,
  viewer: EmailViewer,
  idOrEmail: string,
  host: string,
): Promise<User> {
  if (ID.test(idOrEmail)) return accessUser(read, viewer, Number(idOrEmail))
  const user = (await usersByAddress(read, viewer, [idOrEmail])).get(emailKey(idOrEmail))
  if (user) return user
  const standIn = parseStandIn(idOrEmail)
  if (standIn && emailKey(standIn.host) === emailKey(host)) return accessUser(read, viewer, standIn.id)
  throw new NoSuchUserError()
}

/** Returns visible accounts by ID, including deactivated ones, by ascending ID. Unknown IDs have no entry. */
export async function usersById(
  read: Readers,
  viewer: EmailViewer,
  ids: readonly number[],
): Promise<Map<number, User>> {
  const users = await visibleUsers(read, viewer, await read.users.byIds(ids as UserId[]))
  return new Map(users.map((user) => [user.id, user]))
}

/**
 * Returns accounts by the keys of `addresses`, including deactivated ones: by a real address if `viewer` may see it,
 * and by the stand-in of a hidden one. Hidden addresses, and those of accounts that are not visible, are unknown
 * (USER-EMAIL-3).
 */
export async function usersByAddress(
  read: Readers,
  viewer: EmailViewer,
  addresses: readonly string[],
): Promise<Map<string, User>> {
  const found = new Map<string, User>()
  for (const user of await visibleUsers(read, viewer, await read.users.byEmails(addresses))) {
    if (seesEmail(viewer, user)) found.set(emailKey(user.email), user)
  }
  const ids = addresses.flatMap((address) => parseStandIn(address)?.id ?? []).filter((id) => id <= MAX_ID)
  const wanted = new Set(addresses.map(emailKey))
  // Looked up after the real ones, so that nobody can take over a stand-in by using it as an address.
  for (const user of await visibleUsers(read, viewer, await read.users.byIds(ids as UserId[]))) {
    const key = user.standInEmail === null ? undefined : emailKey(user.standInEmail)
    if (key !== undefined && wanted.has(key)) found.set(key, user)
  }
  return found
}
