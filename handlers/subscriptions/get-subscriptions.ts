import { Pauses } from '../../db/pauses.ts'
import { channelLists } from '../../views/state/channels.ts'
import type { Handler } from '../handler.ts'

/** GET /users/me/subscriptions (SUBS-1 to SUBS-7). */
export const getSubscriptions: Handler<'get-subscriptions'> = async ({ input, actor, db, hasLeft }) => {
  const { subscriptions } = await channelLists(db.read, actor, {
    includeSubscribers: input.include_subscribers,
    pauses: new Pauses({ worker: actor.id, hasLeft }),
    includeArchived: false,
    onlySubscribed: true,
  })
  return { subscriptions: (await subscriptions()).as() }
}
