import { changeStatus } from '../../actions/statuses.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** POST /users/{user_id}/status: set by an administrator. */
export const updateUserStatus: Handler<'update-user-status'> = async ({ input, write }) => {
  const { user_id, ...parameters } = input
  await write(async (tx, actor) => {
    const user = await accessUser(tx, actor, user_id)
    // Bots have no status, because they cannot set their own.
    if (user.isBot) throw new BadRequestError('No such user')
    if (!user.isActive) throw new BadRequestError('User is deactivated')
    await changeStatus(tx, user, parameters)
  })
  return {}
}
