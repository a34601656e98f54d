import { BadRequestError } from '../../domain/errors.ts'
import { BOT_STORAGE_KEY_BYTES, MAX_BOT_STORAGE_BYTES } from '../../domain/limits.ts'
import type { Handler } from '../handler.ts'

/** PUT /bot_storage. */
export const updateBotStorage: Handler<'update-bot-storage'> = async ({ input, write }) => {
  const values = new Map(Object.entries(input.storage))
  let size = BOT_STORAGE_KEY_BYTES * values.size
  for (const [key, value] of values) size += Buffer.byteLength(key) + Buffer.byteLength(value)
  await write(async (tx, actor) => {
    const others = await tx.botStorage.size(actor.id, [...values.keys()])
    if (others + size > MAX_BOT_STORAGE_BYTES) {
      throw new BadRequestError(`storage would take more than ${MAX_BOT_STORAGE_BYTES} bytes`)
    }
    await tx.botStorage.put(actor.id, values)
  })
  return {}
}
