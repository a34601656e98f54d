import type { Tx } from '../db/database.ts'
import type { NewChannel } from '../db/repositories/channels.ts'
import { type Channel, statisticsOfNewChannel } from '../domain/channel.ts'
import { toWireChannel } from '../domain/wire-channel.ts'

/**
 * Makes a channel and tells those who may know of it: of a private one only administrators, until somebody is
 * subscribed. Undefined when the name is taken.
 */
export async function createChannel(tx: Tx, newChannel: NewChannel): Promise<Channel | undefined> {
  const channel = await tx.channels.insert(newChannel)
  if (!channel) return undefined
  const streams = [toWireChannel(channel, statisticsOfNewChannel(0), newChannel.createdAt)]
  const audience = channel.inviteOnly
    ? { to: 'users' as const, userIds: await tx.users.administratorIds() }
    : { to: 'members' as const }
  tx.events.append({ type: 'stream', op: 'create', streams }, audience)
  return channel
}
