import type { Tx } from '../../db/repositories.ts'
import { channelUpdate } from '../../domain/channels/channel-update.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { knowersOf } from '../channels/channel-audience.ts'

/**
 * After messages entered or left a channel: announces the channel's oldest message if it changed (SUB-FIELD-33, level
 * 256).
 */
export async function changeFirstMessage(tx: Tx, channelId: ChannelId): Promise<void> {
  const channel = await tx.channels.byId(channelId)
  const first = await tx.messages.firstInChannel(channelId)
  if (!channel || channel.firstMessageId === first) return
  await tx.channels.setFirstMessage(channelId, first)
  tx.events.append(channelUpdate(channel, 'first_message_id', first), await knowersOf(tx, channel))
}
