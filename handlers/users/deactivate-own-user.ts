import { deactivateUser } from '../../actions/change-activity.ts'
import { isOnlyOwner } from '../../actions/change-user.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { CannotDeactivateLastUserError } from '../../domain/errors.ts'
import { presentActor } from '../../permissions/present-actor.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me. Who is the last user is the last owner, too. */
export const deactivateOwnUser: Handler<'deactivate-own-user'> = async ({ actor, db, clock, organization }) => {
  await db.transaction(async (tx) => {
    const present = await presentActor(tx, actor)
    if (await isOnlyOwner(tx, present)) throw new CannotDeactivateLastUserError('organization owner')
    await deactivateUser(tx, present, present, { organization, now: unixSeconds(clock) })
  })
  return {}
}
