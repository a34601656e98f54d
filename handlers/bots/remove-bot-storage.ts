import { BadRequestError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/** DELETE /bot_storage. */
export const removeBotStorage: Handler<'remove-bot-storage'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const storage = input.keys && (await tx.botStorage.of(actor.id, input.keys))
    if (input.keys?.some((key) => !storage?.has(key))) throw new BadRequestError('Key does not exist.')
    await tx.botStorage.remove(actor.id, input.keys)
  })
  return {}
}
