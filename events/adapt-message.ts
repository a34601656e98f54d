import type { MessageLogEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import { FLAG, flagNames } from '../domain/messages/flags.ts'
import { topicForOutput } from '../domain/topics/topics.ts'
import type { EventOf } from '../generated/operations.ts'
import type { Adapted, Recipient } from './adapted.ts'

/** Mostly the sender alone, or nobody; of a notice it may be nearly everybody. */
const readers = new WeakMap<MessageLogEvent, ReadonlySet<UserId>>()

function readersOf(event: MessageLogEvent): ReadonlySet<UserId> {
  let found = readers.get(event)
  if (!found) {
    found = new Set(event.readBy)
    readers.set(event, found)
  }
  return found
}

/** Flags that the message has for this user at the moment of sending (MSG-FIELD-28). */
export function flagsAtSending(event: MessageLogEvent, userId: UserId, didReceive: boolean): string[] {
  let stored = 0
  if (didReceive && event.mentionedUserIds.includes(userId)) stored |= FLAG.mentioned
  if (didReceive && event.topicMentionedUserIds.includes(userId)) stored |= FLAG.topic_wildcard_mentioned
  if (didReceive && event.alertedUserIds?.includes(userId)) stored |= FLAG.has_alert_word
  return flagNames({
    stored,
    isRead: !didReceive || readersOf(event).has(userId),
    isHistorical: !didReceive,
    isChannelWildcardMentioned: didReceive && event.mentionsChannel,
  })
}

/** A sent message in the format that the queue asked for, with the recipient's flags. */
export function adaptMessage(event: MessageLogEvent, recipient: Recipient): Adapted {
  const { descriptor } = recipient
  const { applyMarkdown } = descriptor
  const clientGravatar = descriptor.clientGravatar && event.gravatar
  const allowEmpty = descriptor.capabilities.empty_topic_name === true
  const message = () => ({
    ...event.message,
    ...(event.message.type === 'stream' && { subject: topicForOutput(event.message.subject, allowEmpty) }),
    ...(!applyMarkdown && { content: event.rawContent, content_type: 'text/x-markdown' as const }),
    ...(clientGravatar && { avatar_url: null }),
  })
  return {
    variant: `${applyMarkdown}${clientGravatar}${allowEmpty}`,
    // The flags are in `own`.
    make: () => ({ type: 'message', message: message() }) as EventOf<'message'>,
    own: {
      flags: flagsAtSending(event, recipient.userId, recipient.didReceive),
      ...(event.local?.queueId === recipient.queueId && { local_message_id: event.local.localId }),
    },
  }
}
