import type { Tx } from '../db/repositories.ts'
import type { UserId } from '../domain/ids.ts'
import { toWireMutedUser } from '../domain/users/muted-user.ts'
import { tellSelf } from './tell-self.ts'

/** Tells the clients of `userId` the whole list of users that they muted. */
export async function tellMutedUsers(tx: Tx, userId: UserId): Promise<void> {
  const muted = await tx.mutedUsers.of(userId)
  tellSelf(tx, userId, { type: 'muted_users', muted_users: muted.map(toWireMutedUser) })
}
