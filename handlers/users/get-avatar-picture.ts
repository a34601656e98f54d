import { UnknownFileError } from '../../domain/errors.ts'
import { avatarPath } from '../../domain/users/user.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/** GET /user_avatars/{file_name}: accessible to anybody who knows the URL. */
export const getAvatarPicture: Handler<'get-avatar-picture'> = async ({ input, db }) => {
  const bytes = await db.read.pictures.of(avatarPath(input.file_name))
  if (!bytes) throw new UnknownFileError()
  return new RawAnswer('image/png', bytes)
}
