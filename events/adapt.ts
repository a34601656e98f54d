import { FLAG, flagNames } from '../domain/flags.ts'
import type { UserId } from '../domain/ids.ts'
import type { LoggedEvent, MessageLogEvent } from '../domain/log-event.ts'
import { topicForOutput } from '../domain/topics.ts'
import { withInheritedNotifications } from '../domain/wire-channel.ts'
import type { Event } from '../generated/operations.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'

/** For whom an event is put into words. */
export interface Recipient {
  readonly queueId: string
  readonly userId: UserId
  readonly descriptor: QueueDescriptor
  /** Whether the user was subscribed at the event's position (channel messages), or is part of the conversation. */
  readonly didReceive: boolean
}

/** JSON of an event in one format, shared by all queues that want it so: serializing is most of a delivery. */
const serialized = new WeakMap<LoggedEvent, Map<string, string>>()

function cached(logged: LoggedEvent, variant: string, make: () => unknown): string {
  let variants = serialized.get(logged)
  if (!variants) {
    variants = new Map()
    serialized.set(logged, variants)
  }
  let json = variants.get(variant)
  if (json === undefined) {
    json = JSON.stringify(make())
    variants.set(variant, json)
  }
  return json
}

/** The event as this queue's client gets it, as JSON. Ticks have no form of their own: see heartbeatJson. */
export function eventJson(logged: LoggedEvent, recipient: Recipient): string {
  const { event } = logged
  if (event.type === 'message') return messageEventJson(logged, event, recipient)
  if (event.type === 'tick') throw new Error('a tick is delivered as a heartbeat only')
  const { clientGravatar, capabilities } = recipient.descriptor
  const variant = `${clientGravatar}${capabilities.notification_settings_null === true}`
  return cached(logged, variant, () => ({ ...adaptPlain(event, recipient.descriptor), id: logged.id }))
}

export function heartbeatJson(id: number): string {
  return `{"type":"heartbeat","id":${id}}`
}

function adaptPlain(
  event: Exclude<LoggedEvent['event'], { type: 'message' } | { type: 'tick' }>,
  descriptor: QueueDescriptor,
): Event {
  if (event.type === 'realm_user' && event.op === 'add' && descriptor.clientGravatar) {
    return { ...event, person: { ...event.person, avatar_url: null } }
  }
  if (event.type === 'subscription' && event.op === 'add' && !descriptor.capabilities.notification_settings_null) {
    return { ...event, subscriptions: event.subscriptions.map(withInheritedNotifications) }
  }
  return event
}

/** Flags that the message has for this user at the moment of sending (MSG-FIELD-28). */
export function flagsAtSending(event: MessageLogEvent, userId: UserId, didReceive: boolean): string[] {
  let stored = 0
  if (didReceive && event.mentionedUserIds.includes(userId)) stored |= FLAG.mentioned
  if (didReceive && event.topicMentionedUserIds.includes(userId)) stored |= FLAG.topic_wildcard_mentioned
  return flagNames({
    stored,
    isRead: !didReceive || event.readBy.includes(userId),
    isHistorical: !didReceive,
    isChannelWildcardMentioned: didReceive && event.mentionsChannel,
  })
}

function messageEventJson(logged: LoggedEvent, event: MessageLogEvent, recipient: Recipient): string {
  const { descriptor } = recipient
  const { applyMarkdown } = descriptor
  const clientGravatar = descriptor.clientGravatar && event.gravatar
  const allowEmpty = descriptor.capabilities.empty_topic_name === true
  const json = cached(logged, `${applyMarkdown}${clientGravatar}${allowEmpty}`, () => ({
    type: 'message',
    message: {
      ...event.message,
      ...(event.message.type === 'stream' && { subject: topicForOutput(event.message.subject, allowEmpty) }),
      ...(!applyMarkdown && { content: event.rawContent, content_type: 'text/x-markdown' }),
      ...(clientGravatar && { avatar_url: null }),
    },
  }))
  const own: Record<string, unknown> = {
    flags: flagsAtSending(event, recipient.userId, recipient.didReceive),
    id: logged.id,
  }
  if (event.local?.queueId === recipient.queueId) own.local_message_id = event.local.localId
  // What is the recipient's own is spliced into the shared JSON: `{…,` + `"flags":…}`.
  return `${json.slice(0, -1)},${JSON.stringify(own).slice(1)}`
}
