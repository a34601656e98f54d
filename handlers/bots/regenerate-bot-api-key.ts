import { replaceKey } from '../../actions/users/replace-key.ts'
import { accessBot } from '../../permissions/access-bot.ts'
import type { Handler } from '../handler.ts'

/** POST /bots/{bot_id}/api_key/regenerate. */
export const regenerateBotApiKey: Handler<'regenerate-bot-api-key'> = async ({ input, write, secrets }) => ({
  api_key: await write(async (tx, actor) => replaceKey(tx, await accessBot(tx, actor, input.bot_id), secrets)),
})
