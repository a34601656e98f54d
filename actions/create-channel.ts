import type { NewChannel } from '../db/repositories/channels.ts'
import type { Tx } from '../db/repositories.ts'
import type { Channel } from '../domain/channels/channel.ts'
import { toWireChannel } from '../domain/channels/wire-channel.ts'
import { otherKnowersOf } from './channel-audience.ts'

/**
 * Makes a channel and tells those who may know of it: for a private one these are administrators and whoever its
 * settings name, until somebody is subscribed. Undefined when the name is taken.
 */
export async function createChannel(tx: Tx, newChannel: NewChannel): Promise<Channel | undefined> {
  const channel = await tx.channels.insert(newChannel)
  if (!channel) return undefined
  const streams = [toWireChannel(channel)]
  tx.events.append({ type: 'stream', op: 'create', streams }, await otherKnowersOf(tx, channel))
  return channel
}
