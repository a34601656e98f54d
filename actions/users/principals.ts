import type { Readers } from '../../db/repositories.ts'
import { BadRequestError, NoSuchUserError } from '../../domain/errors.ts'
import { emailKey } from '../../domain/text/text-keys.ts'
import type { User } from '../../domain/users/user.ts'
import { usersByAddress, usersById } from '../../permissions/access-user.ts'
import type { Actor } from '../../permissions/actor.ts'

/**
 * Returns the users that a request is about: `actor` alone, or the active accounts named by ID or address.
 *
 * @throws {BadRequestError} for a name without an active account
 */
export async function principals(
  read: Readers,
  actor: Actor,
  wanted: readonly (number | string)[] | undefined,
): Promise<User[]> {
  if (!wanted) return [actor]
  const ids = wanted.filter((one) => typeof one === 'number')
  const emails = wanted.filter((one) => typeof one === 'string')
  const byId = await usersById(read, actor, ids)
  const byEmail = await usersByAddress(read, actor, emails)
  for (const one of wanted) {
    const user = typeof one === 'number' ? byId.get(one) : byEmail.get(emailKey(one))
    if (!user) throw new NoSuchUserError()
    if (!user.isActive) throw new BadRequestError('User is deactivated')
  }
  return [...new Map([...byId.values(), ...byEmail.values()].map((user) => [user.id, user])).values()]
}
