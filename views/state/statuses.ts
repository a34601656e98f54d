import { toWireStatus } from '../../domain/users/user-status.ts'
import { visibilityFor } from '../../permissions/visible-users.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `user_status`: everybody the caller can see who has a status, by user id. */
export const part: StatePart = async (read, actor, { isWanted, site, pauses }) => {
  if (!isWanted('user_status')) return {}
  const statuses = [...(await read.userStatuses.all())]
  const isSeen = await visibilityFor(read, actor, pauses)
  // Bots have none.
  const seen = isSeen ? statuses.filter(([id]) => isSeen({ id, isBot: false })) : statuses
  return {
    user_status: Object.fromEntries(seen.map(([id, status]) => [id, toWireStatus(status, site.wireValues)])),
  }
}
