import { avatarUrl } from '../../domain/users/user.ts'
import type { Handler } from '../handler.ts'

/** GET /bots: the caller's active bots. */
export const getBots: Handler<'get-bots'> = async ({ actor, db, secrets }) => {
  // From one moment: a bot that is given away gets a new key, which its former owner must not be told.
  const { users, keys, managed } = await db.snapshot(async (read) => {
    const users = (await read.users.botsOf(actor.id)).filter((bot) => bot.isActive)
    const ids = users.map(({ id }) => id)
    const keys = await read.credentials.encryptedKeys(ids)
    return { users, keys, managed: new Map((await read.bots.byIds(ids)).map((bot) => [bot.user_id, bot])) }
  })
  return {
    bots: users.map((user) => {
      const does = managed.get(user.id)
      return {
        username: user.email,
        full_name: user.fullName,
        api_key: secrets.decrypt(keys.get(user.id) ?? ''),
        avatar_url: avatarUrl(user),
        default_sending_stream: does?.default_sending_stream ?? null,
        default_events_register_stream: does?.default_events_register_stream ?? null,
        default_all_public_streams: does?.default_all_public_streams ?? false,
      }
    }),
  }
}
