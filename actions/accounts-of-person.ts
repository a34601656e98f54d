import type { Readers } from '../db/repositories.ts'
import type { UserId } from '../domain/ids.ts'
import { personOf, type User } from '../domain/users/user.ts'

/** The person whose account it is, with all of their bots: what these hold of what all share is one share. */
export async function accountsOfPerson(
  read: Pick<Readers, 'users'>,
  account: Pick<User, 'id' | 'botOwnerId'>,
): Promise<readonly UserId[]> {
  const person = personOf(account)
  return [person, ...(await read.users.botsOf(person)).map(({ id }) => id)]
}
