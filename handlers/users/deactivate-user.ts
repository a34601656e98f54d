import { deactivateUser as deactivate } from '../../actions/users/change-activity.ts'
import { forgetUser } from '../../actions/users/forget-user.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/{user_id} (STATE-USER-3). */
export const deactivateUser: Handler<'deactivate-user'> = async ({ input, write, site }) => {
  await write(async (tx, actor) => {
    const user = await accessUser(tx, actor, input.user_id_or_email)
    await deactivate(tx, actor, user)
    if (input.actions) await forgetUser(tx, actor, user, input.actions, hostOf(site))
  })
  return {}
}
