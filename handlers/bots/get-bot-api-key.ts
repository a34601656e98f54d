import { accessBot } from '../../permissions/access-bot.ts'
import { presentActor } from '../../permissions/actor.ts'
import type { Handler } from '../handler.ts'

/** GET /bots/{bot_id}/api_key (level 463). */
export const getBotApiKey: Handler<'get-bot-api-key'> = async ({ input, actor, db, secrets }) => {
  // From one moment: a bot that is given away gets a new key, which its former owner must not be told.
  const key = await db.snapshot(async (read) => {
    const { id } = await accessBot(read, await presentActor(read, actor.id), input.bot_id)
    return (await read.credentials.encryptedKeys([id])).get(id)
  })
  return { api_key: secrets.decrypt(key ?? '') }
}
