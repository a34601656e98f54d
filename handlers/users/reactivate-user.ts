import { reactivateUser as reactivate } from '../../actions/change-activity.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { accessUser } from '../../permissions/access-user.ts'
import { presentAdministrator } from '../../permissions/present-actor.ts'
import type { Handler } from '../handler.ts'

/** POST /users/{user_id}/reactivate (STATE-USER-3). */
export const reactivateUser: Handler<'reactivate-user'> = async ({ input, actor, db, clock, organization }) => {
  await db.transaction(async (tx) => {
    const administrator = await presentAdministrator(tx, actor)
    await reactivate(tx, administrator, await accessUser(tx, input.user_id), { organization, now: unixSeconds(clock) })
  })
  return {}
}
