import type { EventOf } from '../generated/operations.ts'
import type { Channel } from './channel.ts'

type ChannelUpdate = EventOf<'stream', 'update'>

/** The event that tells of a channel's new `value`. */
export function channelUpdate(
  channel: Pick<Channel, 'id' | 'name'>,
  property: ChannelUpdate['property'],
  value: ChannelUpdate['value'],
): ChannelUpdate {
  return { type: 'stream', op: 'update', stream_id: channel.id, name: channel.name, property, value }
}
