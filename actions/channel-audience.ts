import type { Readers } from '../db/database.ts'
import type { Audience } from '../domain/audience.ts'
import type { Channel } from '../domain/channel.ts'

/** Who may know of a channel: everybody but guests, of a private one administrators; and who follows it. */
export async function channelAudience(read: Readers, channel: Pick<Channel, 'id' | 'inviteOnly'>): Promise<Audience> {
  const followers = { to: 'channel' as const, channelId: channel.id, isPublic: !channel.inviteOnly }
  const others = channel.inviteOnly
    ? { to: 'users' as const, userIds: await read.users.administratorIds() }
    : { to: 'members' as const }
  return { to: 'any', of: [followers, others] }
}
