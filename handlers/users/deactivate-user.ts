import { deactivateUser as deactivate } from '../../actions/change-activity.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { accessUser } from '../../permissions/access-user.ts'
import { presentAdministrator } from '../../permissions/present-actor.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/{user_id} (STATE-USER-3). */
export const deactivateUser: Handler<'deactivate-user'> = async ({ input, actor, db, clock, organization }) => {
  await db.transaction(async (tx) => {
    const administrator = await presentAdministrator(tx, actor)
    await deactivate(tx, administrator, await accessUser(tx, input.user_id_or_email), {
      organization,
      now: unixSeconds(clock),
    })
  })
  return {}
}
