import { emojiPicturePath } from '../../domain/emoji/custom-emoji.ts'
import { UnknownFileError } from '../../domain/errors.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/** GET /user_avatars/emoji/images/still/{file_name}: accessible to anybody who knows the URL. */
export const getStillEmojiPicture: Handler<'get-still-emoji-picture'> = async ({ input, db }) => {
  const bytes = await db.read.pictures.of(emojiPicturePath(input.file_name, true))
  if (!bytes) throw new UnknownFileError()
  return new RawAnswer('image/png', bytes)
}
