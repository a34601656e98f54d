import type { DeleteMessageLogEvent, TypingLogEvent, UpdateMessageLogEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import { FLAG, flagNames } from '../domain/messages/flags.ts'
import { onceFor } from '../domain/once-for.ts'
import { hostOf } from '../domain/organization/server-settings.ts'
import { topicForOutput } from '../domain/topics/topics.ts'
import { standInEmail } from '../domain/users/email-visibility.ts'
import type { Event, EventOf } from '../generated/operations.ts'
import type { Adapted, Recipient } from './adapted.ts'

/** Readers of an edited message and stored flags, built once for all recipients. */
const lookup = onceFor((event: UpdateMessageLogEvent) => ({
  readBy: new Set(event.readBy),
  storedFlags: new Map(event.storedFlags),
}))

/** An edit or a move, with the recipient's flags on the message afterwards. */
export function adaptUpdateMessage(event: UpdateMessageLogEvent, recipient: Recipient): Adapted {
  const { orig_subject: oldTopic, subject: newTopic } = event.update
  const allowEmpty = recipient.descriptor.capabilities.empty_topic_name === true
  const topics = {
    ...(oldTopic !== undefined && { orig_subject: topicForOutput(oldTopic, allowEmpty) }),
    ...(newTopic !== undefined && { subject: topicForOutput(newTopic, allowEmpty) }),
  }
  const { readBy, storedFlags } = lookup(event)
  const stored = storedFlags.get(recipient.userId) ?? 0
  const didReceive = event.received === undefined || recipient.receivedMessage(event.received)
  const flags = flagNames({
    stored,
    // A user who flagged it has a read state, although the message was not received.
    isRead: (!didReceive && (stored & FLAG.historical) === 0) || readBy.has(recipient.userId),
    isHistorical: !didReceive,
    isChannelWildcardMentioned: didReceive && event.mentionsChannel,
  })
  return {
    variant: oldTopic === undefined ? '' : String(allowEmpty),
    // The flags are in `own`.
    make: () => ({ type: 'update_message', ...event.update, ...topics }) as EventOf<'update_message'>,
    own: { flags },
  }
}

/**
 * A deletion: one list for clients that understand it, otherwise one event for each message; topics in the form of the
 * client.
 */
export function adaptDeleteMessage(event: DeleteMessageLogEvent, { descriptor }: Recipient): Adapted {
  const allowEmpty = descriptor.capabilities.empty_topic_name === true
  const isBulk = descriptor.capabilities.bulk_message_deletion === true
  const { message_ids: messageIds, topic, ...rest } = event
  const place = { ...rest, ...(topic !== undefined && { topic: topicForOutput(topic, allowEmpty) }) }
  return {
    variant: `${allowEmpty}${isBulk}`,
    make: () =>
      isBulk ? { ...place, message_ids: [...messageIds] } : messageIds.map((id) => ({ ...place, message_id: id })),
  }
}

/** In channels only clients that ask for it get typing notifications; topics in the form of the client. */
export function adaptTyping(logged: TypingLogEvent, recipient: Recipient): Adapted | undefined {
  const { unseenBy, ...event } = logged
  const { descriptor } = recipient
  if (event.message_type === 'direct') return { variant: '', make: () => event }
  if (!descriptor.capabilities.stream_typing_notifications) return undefined
  const isUnseen = unseenBy?.includes(recipient.userId) === true
  const { user_id } = event.sender
  const sender = isUnseen ? { user_id, email: standInEmail(user_id as UserId, hostOf(recipient)) } : event.sender
  const form = withTopic(event.topic ?? '', descriptor, (topic) => ({ ...event, sender, topic }))
  return { ...form, variant: `${form.variant}${isUnseen}` }
}

export function adaptTypingEditMessage(
  event: EventOf<'typing_edit_message'>,
  { descriptor }: Recipient,
): Adapted | undefined {
  const { recipient } = event
  if (recipient.type === 'direct') return { variant: '', make: () => event }
  if (!descriptor.capabilities.stream_typing_notifications) return undefined
  return withTopic(recipient.topic ?? '', descriptor, (topic) => ({ ...event, recipient: { ...recipient, topic } }))
}

function withTopic(topic: string, { capabilities }: Recipient['descriptor'], make: (topic: string) => Event): Adapted {
  const allowEmpty = capabilities.empty_topic_name === true
  return { variant: String(allowEmpty), make: () => make(topicForOutput(topic, allowEmpty)) }
}
