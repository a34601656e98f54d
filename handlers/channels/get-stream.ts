import { statisticsOfNewChannel } from '../../domain/channel.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { TRAFFIC_WINDOW_SECONDS, toWireChannel } from '../../domain/wire-channel.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** GET /streams/{stream_id} */
export const getStream: Handler<'get-stream'> = async ({ input, actor, db, clock, organization }) => {
  const now = unixSeconds(clock)
  const { channel } = await accessChannel(db.read, actor, input.stream_id, { organization, now })
  const statistics = await db.read.channels.statistics([channel.id], now - TRAFFIC_WINDOW_SECONDS)
  return { stream: toWireChannel(channel, statistics.get(channel.id) ?? statisticsOfNewChannel(0), now) }
}
