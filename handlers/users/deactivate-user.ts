import { deactivateUser as deactivate } from '../../actions/change-activity.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/{user_id} (STATE-USER-3). */
export const deactivateUser: Handler<'deactivate-user'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    await deactivate(tx, actor, await accessUser(tx, input.user_id_or_email))
  })
  return {}
}
