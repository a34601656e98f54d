import { announceMutedUsers } from '../../actions/users/announce-muted-users.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/muted_users/{muted_user_id} (level 48; from 188 on also for bots). */
export const muteUser: Handler<'mute-user'> = async ({ input, write, clock }) => {
  await write(async (tx, actor) => {
    if (input.muted_user_id === actor.id) throw new BadRequestError('Cannot mute self')
    const { id } = await accessUser(tx, actor, input.muted_user_id)
    const isNew = await tx.mutedUsers.add(actor.id, { id, mutedAt: unixSeconds(clock) })
    if (!isNew) throw new BadRequestError('User already muted')
    await announceMutedUsers(tx, actor.id)
  })
  return {}
}
