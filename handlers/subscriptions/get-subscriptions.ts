import { channelLists } from '../../views/state/channels.ts'
import type { Handler } from '../handler.ts'

/** GET /users/me/subscriptions (SUBS-1 to SUBS-7). */
export const getSubscriptions: Handler<'get-subscriptions'> = async (context) => {
  const { input, actor, db, partialSubscribersFrom, pauses } = context
  const { subscriptions } = await channelLists(db.read, actor, {
    includeSubscribers: input.include_subscribers,
    partialSubscribersFrom,
    pauses,
    includeArchived: false,
    onlySubscribed: true,
  })
  return { subscriptions: (await subscriptions()).as() }
}
