import type { Tx } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import { toWireMutedUser } from '../../domain/users/muted-user.ts'
import { announceToSelf } from '../announce-to-self.ts'

/** Sends the user's clients the whole list of muted users. */
export async function announceMutedUsers(tx: Tx, userId: UserId): Promise<void> {
  const muted = await tx.mutedUsers.of(userId)
  announceToSelf(tx, userId, { type: 'muted_users', muted_users: muted.map(toWireMutedUser) })
}
