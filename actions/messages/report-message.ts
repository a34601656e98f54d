import type { Readers, Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { Message } from '../../domain/messages/message.ts'
import { reportTopic } from '../../domain/messages/report.ts'
import type { RenderedText } from './render-content.ts'
import { sendNotice } from './send-message.ts'

/** The channel in which reported messages are quoted. @throws {BadRequestError} if the organization has none */
export async function moderationChannel(read: Pick<Readers, 'channels' | 'organization'>): Promise<Channel> {
  const id = read.organization.settings.moderation_request_channel_id
  const channel = id === -1 ? undefined : await read.channels.byId(id as ChannelId)
  if (channel) return channel
  throw new BadRequestError('Moderation request channel must be specified to enable message reporting.')
}

/**
 * Tells the moderators as the notification bot. Files are not passed on, because their owners would learn that another
 * message refers to them.
 */
export async function reportMessage(tx: Tx, message: Message, notice: RenderedText): Promise<void> {
  await sendNotice(tx, { ...notice, channel: await moderationChannel(tx), topic: reportTopic(message) })
}
