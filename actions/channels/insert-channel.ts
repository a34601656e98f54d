import type { NewChannel } from '../../db/repositories/channels.ts'
import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { toWireChannel } from '../../domain/channels/wire-channel.ts'
import type { FoundLists } from '../../permissions/access-channel.ts'
import { otherKnowersOf } from './channel-audience.ts'

/**
 * Creates a channel without subscribers, and announces it to everybody who may know it: members or, for a private one,
 * administrators and the users in its settings. Returns undefined if the name is taken.
 *
 * @param lists as for `otherKnowersOf`
 */
export async function insertChannel(tx: Tx, newChannel: NewChannel, lists?: FoundLists): Promise<Channel | undefined> {
  const channel = await tx.channels.insert(newChannel)
  if (!channel) return undefined
  const streams = [toWireChannel(channel)]
  tx.events.append({ type: 'stream', op: 'create', streams }, await otherKnowersOf(tx, channel, lists))
  return channel
}
