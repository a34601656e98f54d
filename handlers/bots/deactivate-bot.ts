import { deactivateUser } from '../../actions/users/change-activity.ts'
import { accessBot } from '../../permissions/access-bot.ts'
import type { Handler } from '../handler.ts'

/** DELETE /bots/{bot_id}. */
export const deactivateBot: Handler<'deactivate-bot'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    await deactivateUser(tx, actor, await accessBot(tx, actor, input.bot_id))
  })
  return {}
}
