import { toWireStatus } from '../../domain/users/user-status.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `user_status`: everybody who says something, by user id. */
export const part: StatePart = async (read, _actor, { isWanted, site }) => {
  if (!isWanted('user_status')) return {}
  const statuses = await read.userStatuses.all()
  return {
    user_status: Object.fromEntries([...statuses].map(([id, status]) => [id, toWireStatus(status, site.wireValues)])),
  }
}
