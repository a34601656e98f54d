import { announceMutedUsers } from '../../actions/users/announce-muted-users.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { MAX_ID, type UserId } from '../../domain/ids.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/muted_users/{muted_user_id} (level 48). */
export const unmuteUser: Handler<'unmute-user'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const id = input.muted_user_id as UserId
    // Also works for users who are no longer visible, because the list of muted users has them.
    if (id > MAX_ID || !(await tx.mutedUsers.remove(actor.id, id))) {
      await accessUser(tx, actor, id)
      throw new BadRequestError('User is not muted')
    }
    await announceMutedUsers(tx, actor.id)
  })
  return {}
}
