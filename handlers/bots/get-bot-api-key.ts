import { accessBot } from '../../permissions/access-bot.ts'
import type { Handler } from '../handler.ts'

/** GET /bots/{bot_id}/api_key (level 463). */
export const getBotApiKey: Handler<'get-bot-api-key'> = async ({ input, actor, db, secrets }) => {
  const { id } = await accessBot(db.read, actor, input.bot_id)
  const keys = await db.read.credentials.encryptedKeys([id])
  return { api_key: secrets.decrypt(keys.get(id) ?? '') }
}
