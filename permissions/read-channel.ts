import type { Readers } from '../db/database.ts'
import type { Channel } from '../domain/channel.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { ChannelId } from '../domain/ids.ts'
import { mayReadChannel } from './access-channel.ts'
import type { Actor } from './actor.ts'

/**
 * The channel whose messages are meant.
 * @throws {BadRequestError} where there is none, and equally where `actor` may not read it
 */
export async function accessChannelToRead(read: Readers, actor: Actor, id: ChannelId): Promise<Channel> {
  const channel = await read.channels.byId(id)
  const isSubscribed = channel !== undefined && (await read.subscriptions.isSubscribed(actor.id, channel.id))
  if (!channel || !mayReadChannel(actor.role, channel, isSubscribed)) throw new BadRequestError('Invalid channel ID')
  return channel
}
