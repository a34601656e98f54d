import { withPicture } from '../../actions/attachments/with-picture.ts'
import { addCustomEmoji as add, refuseNewEmoji } from '../../actions/custom-emoji.ts'
import { BadImageError } from '../../domain/attachments/bad-image.ts'
import { checkCustomEmojiName, EMOJI_SIZE } from '../../domain/emoji/custom-emoji.ts'
import type { Handler } from '../handler.ts'

const SQUARE = { width: EMOJI_SIZE, height: EMOJI_SIZE, fit: 'contain' } as const
const FORMS = [
  { ...SQUARE, format: 'animation' },
  { ...SQUARE, format: 'png' },
] as const
/** Maximum size of a stored picture, because everybody who sees the emoji loads it. */
const MAX_KEPT_BYTES = 512 * 1024

/** POST /realm/emoji/{emoji_name}. Everything that can be refused at once is checked before the file is read. */
export const addCustomEmoji: Handler<'add-custom-emoji'> = async (context) => {
  const { input, db, actor, write } = context
  const name = checkCustomEmojiName(input.emoji_name)
  await refuseNewEmoji(db.read, actor, name)
  await withPicture(context, FORMS, async ({ key, isAnimated, variants }) => {
    const [picture, still] = variants as readonly [Uint8Array, Uint8Array]
    if (picture.length > MAX_KEPT_BYTES) throw new BadImageError('Image size exceeds limit.')
    const fileName = `${key}.${isAnimated ? 'gif' : 'png'}`
    await write((tx, present) => add(tx, present, { name, fileName, picture, still: isAnimated ? still : undefined }))
  })
  return {}
}
