import { BadRequestError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/** GET /bot_storage: data that the calling account has stored, as the package zulip_bots uses it. */
export const getBotStorage: Handler<'get-bot-storage'> = async ({ input, actor, db }) => {
  const storage = await db.read.botStorage.of(actor.id, input.keys)
  if (input.keys?.some((key) => !storage.has(key))) throw new BadRequestError('Key does not exist.')
  return { storage: Object.fromEntries(storage) }
}
