import { createBot as create } from '../../actions/bots/manage-bots.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { avatarUrl } from '../../domain/users/user.ts'
import type { Handler } from '../handler.ts'

/** POST /bots. */
export const createBot: Handler<'create-bot'> = async ({ input, write, secrets, site }) => {
  const allPublicChannels = input.default_all_public_streams ?? false
  const { full_name: fullName, short_name: shortName, bot_type: type } = input
  const { bot, apiKey } = await write((tx, actor) =>
    create(tx, actor, { fullName, shortName, type, allPublicChannels }, { secrets, host: hostOf(site) }),
  )
  return {
    user_id: bot.id,
    api_key: apiKey,
    avatar_url: avatarUrl(bot),
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: allPublicChannels,
  }
}
