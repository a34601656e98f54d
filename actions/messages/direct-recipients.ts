import type { Readers } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { emailKey } from '../../domain/text/text-keys.ts'
import type { User } from '../../domain/users/user.ts'
import { usersByAddress, usersById } from '../../permissions/access-user.ts'
import type { Actor } from '../../permissions/actor.ts'

/**
 * Maximum number of people in a conversation, sender included, because its members are rows and part of every event and
 * answer.
 */
const MAX_MEMBERS = 500

/**
 * Returns the recipients of a direct message by ID or address, each once.
 *
 * @throws {BadRequestError} naming the first who does not exist or is not active
 */
export async function usersOf(read: Readers, sender: Actor, recipients: readonly (number | string)[]): Promise<User[]> {
  if (recipients.length === 0) throw new BadRequestError('Message must have recipients')
  refuseTooMany(sender, recipients)
  const ids = recipients.filter((one) => typeof one === 'number')
  const emails = recipients.filter((one) => typeof one === 'string')
  const byId = await usersById(read, sender, ids)
  const byEmail = await usersByAddress(read, sender, emails)
  const users = recipients.map((one) => {
    const user = typeof one === 'number' ? byId.get(one) : byEmail.get(emailKey(one))
    if (!user) throw new BadRequestError(typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`)
    if (!user.isActive) throw new BadRequestError(`'${user.fullName}' is deactivated and receives no messages`)
    return user
  })
  return [...new Map(users.map((user) => [user.id, user])).values()]
}

/** Checked before anybody is looked up, because the sender must not choose what a message costs. */
function refuseTooMany(sender: Actor, recipients: readonly (number | string)[]): void {
  const others = new Set(recipients.map((one) => (typeof one === 'number' ? one : emailKey(one))))
  others.delete(sender.id)
  others.delete(emailKey(sender.email))
  if (others.size >= MAX_MEMBERS) throw new BadRequestError(`A conversation has at most ${MAX_MEMBERS} people`)
}
