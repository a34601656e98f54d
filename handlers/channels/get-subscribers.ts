import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** GET /streams/{stream_id}/members */
export const getSubscribers: Handler<'get-subscribers'> = async ({ input, actor, db }) => {
  const { channel } = await accessChannel(db.read, actor, input.stream_id)
  const subscribers = await db.read.subscriptions.subscribers([channel.id])
  return { subscribers: subscribers.get(channel.id) ?? [] }
}
