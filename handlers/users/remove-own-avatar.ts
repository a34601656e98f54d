import { changeAvatar, refuseAvatarChange } from '../../actions/users/change-avatar.ts'
import { avatarUrl } from '../../domain/users/user.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/avatar. */
export const removeOwnAvatar: Handler<'remove-own-avatar'> = async ({ write }) => {
  const user = await write(async (tx, actor) => {
    refuseAvatarChange(tx.organization, actor)
    return changeAvatar(tx, actor, undefined)
  })
  return { avatar_url: avatarUrl(user) }
}
