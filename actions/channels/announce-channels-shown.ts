import type { Tx } from '../../db/repositories.ts'
import { ofArchived } from '../../domain/channels/channel-update.ts'
import { toWireChannel } from '../../domain/channels/wire-channel.ts'
import { chunksForEvents } from '../../domain/chunks.ts'
import type { Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
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

  const lost = Map.groupBy(before.difference(after), ({ isArchived }) => isArchived)
  for (const alike of lost.values()) announceToSelf(tx, user.id, disappearance(...alike))
  const won = [...after.difference(before)]
  if (won.length === 0) return
  const pauses = new Pauses()
  for (const streams of chunksForEvents(won.map(toWireChannel))) {
    announceToSelf(tx, user.id, { type: 'stream', op: 'create', streams })
    await pauses.letOthers()
  }
  const channelIds = won.map((channel) => channel.id)
  const subscribers = await tx.subscriptions.subscribers(channelIds, pauses)
  for (const channel of won) {
    const user_ids = subscribers.get(channel.id)
    if (!user_ids) continue
    const peers = { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids } as const
    announceToSelf(tx, user.id, { ...peers, ...ofArchived(channel) })
  }
}
