import type { QueueNarrow } from '../domain/narrow/queue-narrow.ts'

/** Capabilities that a client can report (`client_capabilities`). */
const CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'pronouns_field_type_supported',
] as const

/** Absent means false. */
export type ClientCapabilities = { readonly [Name in (typeof CAPABILITIES)[number]]?: boolean }

/** Returns the known keys of `sent`; a client may send others. */
export function knownCapabilities(sent: ClientCapabilities): ClientCapabilities {
  return Object.fromEntries(CAPABILITIES.filter((name) => sent[name] === true).map((name) => [name, true]))
}

/** The events that the client of a queue wants, and their form. Stored as JSON with the queue. */
export interface QueueDescriptor {
  /** Null means every type. */
  readonly eventTypes: readonly string[] | null
  /** Filters only message events. */
  readonly narrow: QueueNarrow
  readonly allPublicChannels: boolean
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  /** Whether presence events come without an e-mail address. Absent in queues of older servers. */
  readonly slimPresence?: boolean
  readonly capabilities: ClientCapabilities
}
