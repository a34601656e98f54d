import type { LogEvent, LogRecord } from '../domain/events/log-event.ts'
import type { Event } from '../generated/operations.ts'
import { adaptChannel, adaptMutedTopics, adaptSubscription, adaptUserTopic } from './adapt-channel.ts'
import { adaptEmoji, adaptReaction } from './adapt-emoji.ts'
import { adaptFlags } from './adapt-flags.ts'
import { adaptMessage } from './adapt-message.ts'
import { adaptDeleteMessage, adaptTyping, adaptTypingEditMessage, adaptUpdateMessage } from './adapt-message-changes.ts'
import { adaptPresence } from './adapt-presence.ts'
import { adaptProfileFields } from './adapt-profile-fields.ts'
import { adaptUser } from './adapt-user.ts'
import { adaptUserGroup } from './adapt-user-group.ts'
import { type Adapter, asItIs, type Recipient } from './adapted.ts'
import type { EventForms } from './event-forms.ts'

const INTERNAL = ['tick', 'api_key', 'realm_reactivated'] as const
type Internal = (typeof INTERNAL)[number]
type Deliverable = Exclude<LogEvent, { type: Internal }>
type Adapters = { readonly [Type in Deliverable['type']]?: Adapter<Extract<Deliverable, { type: Type }>> }

/** Adapters for the event types that depend on client capabilities. All other types look the same to everybody. */
const ADAPTERS: Adapters = {
  message: adaptMessage,
  reaction: adaptReaction,
  presence: adaptPresence,
  update_message_flags: adaptFlags,
  update_message: adaptUpdateMessage,
  delete_message: adaptDeleteMessage,
  typing: adaptTyping,
  typing_edit_message: adaptTypingEditMessage,
  realm_user: adaptUser,
  custom_profile_fields: adaptProfileFields,
  stream: adaptChannel,
  subscription: adaptSubscription,
  user_topic: adaptUserTopic,
  muted_topics: adaptMutedTopics,
  user_status: adaptEmoji,
  user_group: adaptUserGroup,
  // Clients that do not know templates got none in POST /register.
  realm_linkifiers: (event, { descriptor }) =>
    descriptor.capabilities.linkifier_url_template ? asItIs(event as Event) : undefined,
}

/** Whether events of this type are only for the server. */
export function isInternal(type: LogEvent['type']): type is Internal {
  return (INTERNAL as readonly string[]).includes(type)
}

function isDeliverable(event: LogEvent): event is Deliverable {
  return !isInternal(event.type)
}

/**
 * Returns the event for this queue's client as JSON, or several separated by commas; undefined if the client gets none.
 * Ticks have no form of their own: see heartbeatJson.
 */
export function eventJson(
  record: LogRecord,
  event: LogEvent,
  recipient: Recipient,
  forms: EventForms,
): string | undefined {
  const { id } = record
  if (!isDeliverable(event)) throw new Error(`${event.type} is not for clients`)
  const adapt = ADAPTERS[event.type] as Adapter<Deliverable> | undefined
  const adapted = adapt ? adapt(event, recipient) : asItIs(event as Event)
  if (!adapted) return undefined
  const json = forms.json(record, adapted.variant, () => {
    const made = adapted.make()
    return isSeveral(made) ? made.map((one, index) => ({ ...one, id: id + index })) : { ...made, id }
  })
  // `[{…},{…}]` becomes `{…},{…}`, as in the answer.
  if (json.startsWith('[')) return json.slice(1, -1)
  // `{…,` + `"flags":…}`
  return adapted.own ? `${json.slice(0, -1)},${JSON.stringify(adapted.own).slice(1)}` : json
}

function isSeveral(made: Event | readonly Event[]): made is readonly Event[] {
  return Array.isArray(made)
}

export function heartbeatJson(id: number): string {
  return `{"type":"heartbeat","id":${id}}`
}
