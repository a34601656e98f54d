import type { QueueNarrow } from '../domain/narrow/queue-narrow.ts'

/** What a client said it understands (facts/register.md, "Client capabilities"). Absent means false. */
export interface ClientCapabilities {
  readonly notification_settings_null?: boolean
  readonly bulk_message_deletion?: boolean
  readonly user_avatar_url_field_optional?: boolean
  readonly stream_typing_notifications?: boolean
  readonly user_settings_object?: boolean
  readonly linkifier_url_template?: boolean
  readonly user_list_incomplete?: boolean
  readonly include_deactivated_groups?: boolean
  readonly archived_channels?: boolean
  readonly empty_topic_name?: boolean
  readonly simplified_presence_events?: boolean
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
  readonly capabilities: ClientCapabilities
}
