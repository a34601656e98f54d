import type { ChannelUpdateLogEvent } from '../events/log-event.ts'
import type { Channel } from './channel.ts'

/** The event that tells of a new `value` of the channel, which is given as it was before. */
export function channelUpdate(
  channel: Pick<Channel, 'id' | 'name' | 'isArchived'>,
  property: ChannelUpdateLogEvent['property'],
  value: ChannelUpdateLogEvent['value'],
): ChannelUpdateLogEvent {
  return {
    type: 'stream',
    op: 'update',
    stream_id: channel.id,
    name: channel.name,
    property,
    value,
    ...(channel.isArchived && { isOfArchived: true }),
  }
}
