import { isDeepStrictEqual } from 'node:util'
import type { ChannelUpdateLogEvent } from '../events/log-event.ts'
import { CHANNEL_GROUP_SETTING_NAMES } from '../user-groups/group-settings.ts'
import type { Channel } from './channel.ts'
import { toWireChannel } from './wire-channel.ts'

type Property = ChannelUpdateLogEvent['property']

/**
 * Fields that can change, in the order in which they are announced. The setting for who may send comes before the
 * fields that depend on it.
 */
const TOLD = [
  'is_archived',
  'description',
  'name',
  'message_retention_days',
  'topics_policy',
  'folder_id',
  ...CHANNEL_GROUP_SETTING_NAMES,
  'stream_post_policy',
  'is_announcement_only',
] as const satisfies readonly Property[]

/**
 * Marks an event about channels, all archived or all in use: clients that do not know archived channels are not told of
 * archived ones.
 */
export function ofArchived(...channels: readonly Pick<Channel, 'isArchived'>[]): { readonly isOfArchived?: true } {
  return channels.some(({ isArchived }) => isArchived) ? { isOfArchived: true } : {}
}

/** Returns the event for a new `value` of a field. @param channel as it was before */
export function channelUpdate(
  channel: Pick<Channel, 'id' | 'name' | 'isArchived'>,
  property: Property,
  value: ChannelUpdateLogEvent['value'],
): ChannelUpdateLogEvent {
  return {
    type: 'stream',
    op: 'update',
    stream_id: channel.id,
    name: channel.name,
    property,
    value,
    ...ofArchived(channel),
  }
}

/** Returns the events for all differences; none if there are none. */
export function channelUpdates(before: Channel, after: Channel): ChannelUpdateLogEvent[] {
  const [was, is] = [toWireChannel(before), toWireChannel(after)]
  const updates = TOLD.filter((property) => !isDeepStrictEqual(was[property], is[property])).map((property) => ({
    ...channelUpdate(before, property, is[property]),
    ...(property === 'description' && { rendered_description: is.rendered_description }),
  }))
  const { invite_only, history_public_to_subscribers, is_web_public } = is
  const isAsPrivate =
    was.invite_only === invite_only && was.history_public_to_subscribers === history_public_to_subscribers
  if (isAsPrivate) return updates
  const privacy = { ...channelUpdate(before, 'invite_only', invite_only), history_public_to_subscribers, is_web_public }
  return [...updates, privacy]
}
