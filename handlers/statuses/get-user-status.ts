import { toWireStatus } from '../../domain/users/user-status.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** GET /users/{user_id}/status. */
export const getUserStatus: Handler<'get-user-status'> = async ({ input, actor, db, site }) => {
  const user = await accessUser(db.read, actor, input.user_id)
  return { status: toWireStatus(await db.read.userStatuses.of(user.id), site.wireValues) }
}
