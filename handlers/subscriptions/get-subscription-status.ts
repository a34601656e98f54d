import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** GET /users/{user_id}/subscriptions/{stream_id}: for whoever may see the list of subscribers. */
export const getSubscriptionStatus: Handler<'get-subscription-status'> = async ({ input, actor, db }) => {
  const [user] = await db.read.users.byIds([input.user_id as UserId])
  if (!user) throw new BadRequestError('No such user')
  const { channel } = await accessChannel(db.read, actor, input.stream_id)
  return { is_subscribed: user.isActive && (await db.read.subscriptions.isSubscribed(user.id, channel.id)) }
}
