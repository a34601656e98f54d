import { avatarUrl } from '../../domain/users/user.ts'
import type { Handler } from '../handler.ts'

/** GET /bots: the caller's active bots. */
export const getBots: Handler<'get-bots'> = async ({ actor, db, secrets }) => {
  const users = (await db.read.users.botsOf(actor.id)).filter((bot) => bot.isActive)
  const ids = users.map(({ id }) => id)
  const keys = await db.read.credentials.encryptedKeys(ids)
  const managed = new Map((await db.read.bots.byIds(ids)).map((bot) => [bot.user_id, bot]))
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
