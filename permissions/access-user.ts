import type { Readers } from '../db/repositories.ts'
import { NoSuchUserError } from '../domain/errors.ts'
import { MAX_ID, type UserId } from '../domain/ids.ts'
import { emailKey } from '../domain/text/text-keys.ts'
import { type EmailViewer, parseStandIn, seesEmail } from '../domain/users/email-visibility.ts'
import type { User } from '../domain/users/user.ts'
import { usersInSight } from './users-in-sight.ts'

const ID = /^\d+$/

/** Any account that `viewer` sees, deactivated ones too. @throws {NoSuchUserError} when there is none */
export async function accessUser(read: Readers, viewer: EmailViewer, id: number): Promise<User> {
  const [user] = id <= MAX_ID ? await usersInSight(read, viewer, await read.users.byIds([id as UserId])) : []
  if (!user) throw new NoSuchUserError()
  return user
}

/**
 * The account with this id in decimal digits, this address, or the stand-in address of this id (USER-EMAIL-1 to
 * USER-EMAIL-3); deactivated ones, too.
 * @param host of the organization, for stand-in addresses; they work also where the real one is shown
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

/** Accounts that `viewer` sees by their ids, deactivated ones too, by ascending id. An id that means nobody has no entry. */
export async function usersById(
  read: Readers,
  viewer: EmailViewer,
  ids: readonly number[],
): Promise<Map<number, User>> {
  const users = await usersInSight(read, viewer, await read.users.byIds(ids as UserId[]))
  return new Map(users.map((user) => [user.id, user]))
}

/**
 * Accounts by the keys of those of `addresses` that are theirs, deactivated ones too: a real address where `viewer` may see it, and the
 * stand-in of a hidden one. A hidden address, and that of an account out of sight, is as unknown as one that nobody has (USER-EMAIL-3).
 */
export async function usersByAddress(
  read: Readers,
  viewer: EmailViewer,
  addresses: readonly string[],
): Promise<Map<string, User>> {
  const found = new Map<string, User>()
  for (const user of await usersInSight(read, viewer, await read.users.byEmails(addresses))) {
    if (seesEmail(viewer, user)) found.set(emailKey(user.email), user)
  }
  const ids = addresses.flatMap((address) => parseStandIn(address)?.id ?? []).filter((id) => id <= MAX_ID)
  const wanted = new Set(addresses.map(emailKey))
  // After the real ones: nobody takes over somebody's stand-in by having that as an address.
  for (const user of await usersInSight(read, viewer, await read.users.byIds(ids as UserId[]))) {
    const key = user.standInEmail === null ? undefined : emailKey(user.standInEmail)
    if (key !== undefined && wanted.has(key)) found.set(key, user)
  }
  return found
}
