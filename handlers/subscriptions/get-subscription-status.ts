import { accessChannel } from '../../permissions/access-channel.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** GET /users/{user_id}/subscriptions/{stream_id}: for users who may see the list of subscribers. */
export const getSubscriptionStatus: Handler<'get-subscription-status'> = async ({ input, actor, db }) => {
  const user = await accessUser(db.read, actor, input.user_id)
  const { channel } = await accessChannel(db.read, actor, input.stream_id)
  return { is_subscribed: user.isActive && (await db.read.subscriptions.isSubscribed(user.id, channel.id)) }
}
