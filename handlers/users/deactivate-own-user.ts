import { deactivateUser } from '../../actions/users/change-activity.ts'
import { isOnlyOwner } from '../../actions/users/change-user.ts'
import { CannotDeactivateLastUserError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me. The last user is always also the last owner. */
export const deactivateOwnUser: Handler<'deactivate-own-user'> = async ({ write }) => {
  await write(async (tx, actor) => {
    if (await isOnlyOwner(tx, actor)) throw new CannotDeactivateLastUserError('organization owner')
    await deactivateUser(tx, actor, actor)
  })
  return {}
}
