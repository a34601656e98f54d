import { toWireChannel } from '../../domain/channels/wire-channel.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** GET /streams/{stream_id} */
export const getStream: Handler<'get-stream'> = async ({ input, actor, db }) => {
  const { channel } = await accessChannel(db.read, actor, input.stream_id)
  return { stream: toWireChannel(channel) }
}
