import { announceMutedUsers } from '../../actions/users/announce-muted-users.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { MAX_MUTED_USERS } from '../../domain/limits.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/muted_users/{muted_user_id} (level 48; from 188 on also for bots). */
export const muteUser: Handler<'mute-user'> = async ({ input, write, clock }) => {
  await write(async (tx, actor) => {
    if (input.muted_user_id === actor.id) throw new BadRequestError('Cannot mute self')
    const { id } = await accessUser(tx, actor, input.muted_user_id)
    const muted = await tx.mutedUsers.of(actor.id)
    if (muted.some((one) => one.id === id)) throw new BadRequestError('User already muted')
    if (muted.length >= MAX_MUTED_USERS) throw new BadRequestError(`An account mutes ${MAX_MUTED_USERS} users at most.`)
    await tx.mutedUsers.add(actor.id, { id, mutedAt: unixSeconds(clock) })
    await announceMutedUsers(tx, actor.id)
  })
  return {}
}
