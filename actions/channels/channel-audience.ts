import type { Readers } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { ofArchived } from '../../domain/channels/channel-update.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { ChannelDeleteLogEvent } from '../../domain/events/log-event.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { type FoundLists, knowersWithoutSubscription } from '../../permissions/access-channel.ts'

/** The subscribers of the channel at the event's position. */
export function followersOf(channelId: ChannelId): Audience {
  return { to: 'channel', channelId, isPublic: false }
}

/**
 * Users who see the channel in their lists without being subscribed: members see public channels, administrators see
 * all.
 *
 * @param lists the same for all channels of one transaction that changes no accounts or groups
 */
export async function otherKnowersOf(
  read: Readers,
  channel: Channel,
  lists: FoundLists = new Map(),
): Promise<Audience> {
  if (!channel.inviteOnly) return { to: 'members' }
  return { to: 'users', userIds: await knowersWithoutSubscription(read, channel, lists) }
}

/** Everybody who sees the channel in their lists. Parameters as above. */
export async function knowersOf(read: Readers, channel: Channel, lists?: FoundLists): Promise<Audience> {
  return { to: 'any', of: [followersOf(channel.id), await otherKnowersOf(read, channel, lists)] }
}

/** Tells users who may no longer know the channels, all archived or all in use, that they are gone. */
export function disappearance(...channels: readonly Channel[]): ChannelDeleteLogEvent {
  const stream_ids = channels.map(({ id }) => id)
  const streams = stream_ids.map((stream_id) => ({ stream_id }))
  return { type: 'stream', op: 'delete', stream_ids, streams, ...ofArchived(...channels) }
}

/** Everybody in `of` except these users. */
export function except(of: Audience, userIds: readonly UserId[]): Audience {
  return { to: 'difference', of, without: { to: 'users', userIds } }
}
