import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { channelUpdate } from '../../domain/channels/channel-update.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { removeChannelFromSettings } from '../organization/change-organization.ts'
import { knowersOf } from './channel-audience.ts'
import { removeFromDefaults } from './default-channels.ts'

/**
 * Archives a channel: it can still be read but takes no messages, and its subscriptions stay. Clients that do not know
 * archived channels are told that it is gone (events/adapt.ts).
 *
 * @throws {BadRequestError} if it is archived already
 */
export async function archiveChannel(tx: Tx, channel: Channel): Promise<void> {
  if (!(await tx.channels.archive(channel.id))) throw new BadRequestError('This channel is archived already.')
  tx.events.append(channelUpdate(channel, 'is_archived', true), await knowersOf(tx, channel))
  await removeFromDefaults(tx, channel.id)
  await removeChannelFromSettings(tx, channel.id)
}
