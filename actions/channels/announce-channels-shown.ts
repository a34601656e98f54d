import type { Tx } from '../../db/repositories.ts'
import { toWireChannel } from '../../domain/channels/wire-channel.ts'
import type { Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import { announceToSelf } from '../announce-to-self.ts'
import { disappearance } from './channel-audience.ts'

/**
 * Tells a user whose role becomes `role` which channels appear, with their subscribers, and which disappear.
 *
 * @param user with the former role
 */
export async function announceChannelsShown(tx: Tx, user: User, role: Role): Promise<void> {
  const own = new Set((await tx.subscriptions.ofUser(user.id)).map((one) => one.channelId))
  const channels = await tx.channels.all()
  const knows = (as: Role) =>
    channels.filter(
      (channel) => new ChannelRights({ ...user, role: as }, channel, own.has(channel.id), tx.organization).mayKnow,
    )
  const [before, after] = [new Set(knows(user.role)), new Set(knows(role))]

  const lost = [...before.difference(after)].map((channel) => channel.id)
  if (lost.length > 0) announceToSelf(tx, user.id, disappearance(...lost))
  const won = [...after.difference(before)]
  if (won.length === 0) return
  const ids = won.map((channel) => channel.id)
  announceToSelf(tx, user.id, { type: 'stream', op: 'create', streams: won.map(toWireChannel) })
  for (const [channelId, userIds] of await tx.subscriptions.subscribers(ids)) {
    announceToSelf(tx, user.id, { type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: userIds })
  }
}
