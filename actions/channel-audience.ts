import type { Readers } from '../db/repositories.ts'
import type { Channel } from '../domain/channels/channel.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { PlainLogEvent } from '../domain/events/log-event.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { knowersWithoutSubscription } from '../permissions/access-channel.ts'

/** Who follows the channel at the event's position. */
export function followersOf(channelId: ChannelId): Audience {
  return { to: 'channel', channelId, isPublic: false }
}

/** Who sees the channel in their lists without following it: members see public ones, administrators all. */
export async function otherKnowersOf(read: Readers, channel: Channel): Promise<Audience> {
  if (!channel.inviteOnly) return { to: 'members' }
  return { to: 'users', userIds: await knowersWithoutSubscription(read, channel) }
}

/** Everybody who sees the channel in their lists. */
export async function knowersOf(read: Readers, channel: Channel): Promise<Audience> {
  return { to: 'any', of: [followersOf(channel.id), await otherKnowersOf(read, channel)] }
}

/** Tells those who no longer may know of the channel that it is gone. */
export function disappearance(id: ChannelId): PlainLogEvent {
  return { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }
}

/** All of `of` but these users. */
export function except(of: Audience, userIds: readonly UserId[]): Audience {
  return { to: 'difference', of, without: { to: 'users', userIds } }
}
