import type { Readers } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import { personOf, type User } from '../../domain/users/user.ts'

/** Returns the owner of an account with all of the owner's bots, because they have one share of every shared limit. */
export async function accountsOfPerson(
  read: Pick<Readers, 'users'>,
  account: Pick<User, 'id' | 'botOwnerId'>,
): Promise<readonly UserId[]> {
  const person = personOf(account)
  return [person, ...(await read.users.botsOf(person)).map(({ id }) => id)]
}

/** Same as above for the creator of something; null if it has none. */
export async function accountsOfCreator(
  read: Pick<Readers, 'users'>,
  creatorId: UserId | null,
): Promise<readonly (UserId | null)[]> {
  const creator = creatorId === null ? undefined : await read.users.byId(creatorId)
  return creator ? accountsOfPerson(read, creator) : [creatorId]
}
