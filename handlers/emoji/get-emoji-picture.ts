import { emojiPicturePath } from '../../domain/emoji/custom-emoji.ts'
import { UnknownFileError } from '../../domain/errors.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/** GET /user_avatars/emoji/images/{file_name}: accessible to anybody who knows the URL. */
export const getEmojiPicture: Handler<'get-emoji-picture'> = async ({ input, db }) => {
  const bytes = await db.read.pictures.of(emojiPicturePath(input.file_name))
  if (!bytes) throw new UnknownFileError()
  return new RawAnswer(input.file_name.endsWith('.gif') ? 'image/gif' : 'image/png', bytes)
}
