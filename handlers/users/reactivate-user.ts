import { reactivateUser as reactivate } from '../../actions/users/change-activity.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** POST /users/{user_id}/reactivate (STATE-USER-3). */
export const reactivateUser: Handler<'reactivate-user'> = async ({ input, write, secrets }) => {
  await write(async (tx, actor) => {
    await reactivate(tx, actor, await accessUser(tx, actor, input.user_id), secrets)
  })
  return {}
}
