import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { emailKey } from '../domain/text/text-keys.ts'
import type { User } from '../domain/users/user.ts'
import { usersByAddress, usersById } from '../permissions/access-user.ts'
import type { Actor } from '../permissions/actor.ts'

/** Most people in a conversation, the sender included: its members are rows, and are in every event and answer. */
const MAX_MEMBERS = 500

/**
 * The people a direct message is for, by id or address, each once; all of them exist and are active.
 * @throws {BadRequestError} naming the first one who is not
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

/** Before anybody is looked up: the cost of a message must not be the sender's to choose. */
function refuseTooMany(sender: Actor, recipients: readonly (number | string)[]): void {
  const others = new Set(recipients.map((one) => (typeof one === 'number' ? one : emailKey(one))))
  others.delete(sender.id)
  others.delete(emailKey(sender.email))
  if (others.size >= MAX_MEMBERS) throw new BadRequestError(`A conversation has at most ${MAX_MEMBERS} people`)
}
