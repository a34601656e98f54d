import { unixSeconds } from '../../domain/clock.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** GET /streams/{stream_id}/members */
export const getSubscribers: Handler<'get-subscribers'> = async ({ input, actor, db, clock, organization }) => {
  const context = { organization, now: unixSeconds(clock) }
  const { channel } = await accessChannel(db.read, actor, input.stream_id, context)
  const subscribers = await db.read.subscriptions.subscribers([channel.id])
  return { subscribers: subscribers.get(channel.id) ?? [] }
}
