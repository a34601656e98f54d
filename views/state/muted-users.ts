import { toWireMutedUser } from '../../domain/users/muted-user.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `muted_users`. */
export const part: StatePart = async ({ mutedUsers }, actor, { isWanted }) => ({
  ...(isWanted('muted_users') && { muted_users: (await mutedUsers.of(actor.id)).map(toWireMutedUser) }),
})
