import type { MessageLogEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import { FLAG, flagNames } from '../domain/messages/flags.ts'
import { senderFields } from '../domain/messages/message.ts'
import { onceFor } from '../domain/once-for.ts'
import { hostOf } from '../domain/organization/server-settings.ts'
import { topicForOutput } from '../domain/topics/topics.ts'
import { unknownUser } from '../domain/users/unknown-user.ts'
import type { EventOf } from '../generated/operations.ts'
import type { Adapted, Recipient } from './adapted.ts'

const readersOf = onceFor((event: MessageLogEvent) => new Set(event.readBy))
/** Searching so few is faster than building a Set. */
const FEW = 8

/** Usually only the sender has read it, or nobody; a notice may count as read for nearly everybody. */
function hasRead(event: MessageLogEvent, userId: UserId): boolean {
  if (event.readBy.length <= FEW) return event.readBy.includes(userId)
  return readersOf(event).has(userId)
}

/** Flags of the message for this user when it is sent (MSG-FIELD-28). */
export function flagsAtSending(event: MessageLogEvent, userId: UserId, didReceive: boolean): string[] {
  const isMentioned = event.mentionedUserIds.includes(userId)
  let stored = isMentioned ? FLAG.mentioned : 0
  if (didReceive && event.topicMentionedUserIds.includes(userId)) stored |= FLAG.topic_wildcard_mentioned
  if (didReceive && event.alertedUserIds?.includes(userId)) stored |= FLAG.has_alert_word
  return flagNames({
    stored,
    isRead: (!didReceive && !isMentioned) || hasRead(event, userId),
    isHistorical: !didReceive,
    isChannelWildcardMentioned: didReceive && event.mentionsChannel,
  })
}

/** The message as the user may know it: a sender who is not visible is shown by the ID alone. */
export function messageFor(
  { message, unseenBy }: MessageLogEvent,
  recipient: Pick<Recipient, 'userId' | 'publicUrl'>,
): MessageLogEvent['message'] {
  if (!unseenBy?.includes(recipient.userId)) return message
  const sender = unknownUser(message.sender_id as UserId, hostOf(recipient))
  return { ...message, ...senderFields(sender, { realmStringId: message.sender_realm_str, clientGravatar: false }) }
}

/** A sent message in the format of the queue, with the recipient's flags. */
export function adaptMessage(event: MessageLogEvent, recipient: Recipient): Adapted {
  const { descriptor } = recipient
  const { applyMarkdown } = descriptor
  const isUnseen = event.unseenBy?.includes(recipient.userId) === true
  const clientGravatar = descriptor.clientGravatar && event.gravatar && !isUnseen
  const allowEmpty = descriptor.capabilities.empty_topic_name === true
  const message = () => ({
    ...messageFor(event, recipient),
    ...(event.message.type === 'stream' && { subject: topicForOutput(event.message.subject, allowEmpty) }),
    ...(!applyMarkdown && { content: event.rawContent, content_type: 'text/x-markdown' as const }),
    ...(clientGravatar && { avatar_url: null }),
  })
  return {
    variant: `${applyMarkdown}${clientGravatar}${allowEmpty}${isUnseen}`,
    // The flags are in `own`.
    make: () => ({ type: 'message', message: message() }) as EventOf<'message'>,
    own: {
      flags: flagsAtSending(event, recipient.userId, recipient.didReceive),
      ...(event.local?.queueId === recipient.queueId && { local_message_id: event.local.localId }),
    },
  }
}
