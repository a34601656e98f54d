import { tellMutedUsers } from '../../actions/tell-muted-users.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/muted_users/{muted_user_id} (level 48). */
export const unmuteUser: Handler<'unmute-user'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const { id } = await accessUser(tx, input.muted_user_id)
    if (!(await tx.mutedUsers.remove(actor.id, id))) throw new BadRequestError('User is not muted')
    await tellMutedUsers(tx, actor.id)
  })
  return {}
}
