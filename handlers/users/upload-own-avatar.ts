import { withPicture } from '../../actions/attachments/with-picture.ts'
import { changeAvatar, refuseAvatarChange } from '../../actions/users/change-avatar.ts'
import { avatarUrl } from '../../domain/users/user.ts'
import type { Handler } from '../handler.ts'

/** Width and height in pixels. */
const [SMALL, MEDIUM] = [100, 500]
const SQUARES = [
  { width: SMALL, height: SMALL, fit: 'cover', format: 'png' },
  { width: MEDIUM, height: MEDIUM, fit: 'cover', format: 'indexed' },
] as const

/** POST /users/me/avatar. Everything that can be refused at once is checked before the file is read. */
export const uploadOwnAvatar: Handler<'upload-own-avatar'> = async (context) => {
  const { db, actor, write } = context
  refuseAvatarChange(db.read.organization, actor)
  return withPicture(context, SQUARES, async ({ key, variants }) => {
    const [small, medium] = variants as readonly [Uint8Array, Uint8Array]
    const user = await write(async (tx, present) => {
      refuseAvatarChange(tx.organization, present)
      return changeAvatar(tx, present, { key, small, medium })
    })
    return { avatar_url: avatarUrl(user) }
  })
}
