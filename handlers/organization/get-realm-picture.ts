import { UnknownFileError } from '../../domain/errors.ts'
import { picturePath } from '../../domain/organization/pictures.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/**
 * GET /user_avatars/realm/{file_name}, for anybody who has the address, because the icon is shown before users log in.
 */
export const getRealmPicture: Handler<'get-realm-picture'> = async ({ input, db }) => {
  const bytes = await db.read.pictures.of(picturePath(input.file_name))
  if (!bytes) throw new UnknownFileError()
  return new RawAnswer('image/png', bytes)
}
