import type { Readers } from '../db/repositories.ts'
import { BadRequestError, ChannelDoesNotExistError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import {
  type ScheduledDestination,
  type ScheduledMessage,
  toWireScheduledMessage,
} from '../domain/messages/scheduled-message.ts'
import type { Actor } from '../permissions/actor.ts'
import { checkDirectMessage } from '../permissions/direct-messages.ts'
import { channelToSend, checkTopic } from '../permissions/posting.ts'
import { usersOf } from './messages/direct-recipients.ts'
import { mentionedUserIds } from './messages/mentioned-users.ts'
import { checkWildcards } from './messages/wildcard-mentions.ts'
import type { OwnNoun } from './own-rows.ts'

export const SCHEDULED_MESSAGES: OwnNoun<ScheduledMessage> = {
  what: 'scheduled messages',
  rows: (tx) => tx.scheduledMessages,
  most: { count: 500, bytes: 4 * 1024 * 1024 },
  unknown: 'Scheduled message does not exist',
  added: (rows) => [{ type: 'scheduled_messages', op: 'add', scheduled_messages: rows.map(toWireScheduledMessage) }],
  updated: (row) => ({ type: 'scheduled_messages', op: 'update', scheduled_message: toWireScheduledMessage(row) }),
  removed: (scheduled_message_id) => ({ type: 'scheduled_messages', op: 'remove', scheduled_message_id }),
}

/** @throws {BadRequestError} unless `deliverAt`, in UNIX seconds, is in the future */
export function requireFuture({ organization }: Pick<Readers, 'organization'>, deliverAt: number): void {
  if (deliverAt <= organization.now) throw new BadRequestError('Scheduled delivery time must be in the future.')
}

/**
 * Checks whether `actor` could send this there now; checked again when the message is sent.
 *
 * @throws {ChannelDoesNotExistError} {NotAuthorizedToSendError} {BadRequestError} {CodedError} as sending does
 */
export async function checkSending(
  read: Readers,
  actor: Actor,
  destination: ScheduledDestination,
  rendered: RenderedMessage<UserId>,
): Promise<void> {
  if (destination.kind === 'direct') {
    await checkDirectMessage(read, actor, await usersOf(read, actor, destination.userIds as UserId[]))
  } else {
    const channelId = destination.channelId as ChannelId
    const { topic } = destination
    const found = await channelToSend(read, actor, await read.channels.byId(channelId))
    if (!found) throw new ChannelDoesNotExistError(channelId)
    await checkTopic(read, actor, { channel: found.channel, topic })
    await checkWildcards(read, actor, rendered, { channelId, topic })
  }
  await mentionedUserIds(read, actor, rendered)
}
