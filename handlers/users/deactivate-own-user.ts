import { deactivateUser } from '../../actions/users/change-activity.ts'
import { isOnlyOwner } from '../../actions/users/change-user.ts'
import { CodedError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me. The last user is always also the last owner. */
export const deactivateOwnUser: Handler<'deactivate-own-user'> = async ({ write }) => {
  await write(async (tx, actor) => {
    if (await isOnlyOwner(tx, actor)) {
      const data = { is_last_owner: true, entity: 'organization owner' }
      throw new CodedError('CANNOT_DEACTIVATE_LAST_USER', 'Cannot deactivate the only organization owner.', { data })
    }
    await deactivateUser(tx, actor, actor)
  })
  return {}
}
