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
  if (newChannel.isDefault) await tellDefaultChannels(tx)
  return channel
}

/** To everybody but guests, who begin with no channels. */
export async function tellDefaultChannels(tx: Tx): Promise<void> {
  const defaults = await tx.channels.defaults()
  tx.events.append({ type: 'default_streams', default_streams: defaults.map(({ id }) => id) }, { to: 'members' })
}
