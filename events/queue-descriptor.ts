import type { QueueNarrow } from '../domain/narrow/queue-narrow.ts'

/** What a client can say that it understands (`client_capabilities`). */
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

/** What of `sent` has a meaning: a client may send any keys beside. */
export function knownCapabilities(sent: ClientCapabilities): ClientCapabilities {
  return Object.fromEntries(CAPABILITIES.filter((name) => sent[name] === true).map((name) => [name, true]))
}

/** What the client of an event queue wants to see, and how. Stored as JSON with the queue. */
export interface QueueDescriptor {
  /** Null: every type. */
  readonly eventTypes: readonly string[] | null
  /** Filters message events only. */
  readonly narrow: QueueNarrow
  readonly allPublicChannels: boolean
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  /** Whether presence events come without an e-mail address. Absent in queues of older servers. */
  readonly slimPresence?: boolean
  readonly capabilities: ClientCapabilities
}
