import type { EventOf, Output, Schemas } from '../../generated/operations.ts'

/**
 * What the official mobile client, v30.0.274, decodes. It is strict about types, null and absence: with one wrong
 * field of POST /register it does not open; with one in an event it registers again.
 *
 * This file has no program: it compiles only if the contract promises all that the client needs. The suite proves that
 * the server keeps the contract. The names that PARLEY_WIRE_VALUES=clients changes have tests of their own.
 */

type Many<T> = readonly T[]
/** By ID or name. */
type By<T> = Readonly<Record<string, T>>

/** A group's ID, or its members and subgroups. */
type GroupSetting = number | { direct_members: Many<number>; direct_subgroups: Many<number> }

interface User {
  user_id: number
  email: string
  delivery_email?: string | null
  full_name: string
  date_joined: string
  /** Absent in lists of users at registration. */
  is_active?: boolean | null
  is_bot: boolean
  bot_type?: number | null
  bot_owner_id?: number | null
  role: number
  timezone: string
  avatar_url?: string | null
  avatar_version: number
  profile_data?: By<{ value: string; rendered_value?: string | null }> | null
  is_system_bot?: boolean | null
}

interface Channel {
  stream_id: number
  name: string
  description: string
  rendered_description: string
  date_created: number
  is_archived?: boolean | null
  first_message_id?: number | null
  folder_id?: number | null
  invite_only: boolean
  is_web_public: boolean
  history_public_to_subscribers: boolean
  message_retention_days?: number | null
  topics_policy?: string | null
  can_add_subscribers_group?: GroupSetting | null
  can_delete_any_message_group?: GroupSetting | null
  can_delete_own_message_group?: GroupSetting | null
  can_send_message_group?: GroupSetting | null
  can_subscribe_group?: GroupSetting | null
  is_recently_active?: boolean | null
  stream_weekly_traffic?: number | null
}

interface Subscription extends Channel {
  pin_to_top: boolean
  is_muted: boolean
  color: string
  desktop_notifications?: boolean | null
  email_notifications?: boolean | null
  wildcard_mentions_notify?: boolean | null
  push_notifications?: boolean | null
  audible_notifications?: boolean | null
}

interface UserGroup {
  id: number
  members: Many<number>
  direct_subgroup_ids: Many<number>
  name: string
  description: string
  is_system_group: boolean
  deactivated?: boolean | null
}

interface Reaction {
  emoji_name: string
  emoji_code: string
  reaction_type: string
  user_id: number
}

interface Message {
  client: string
  content: string
  content_type: string
  id: number
  is_me_message: boolean
  last_edit_timestamp?: number | null
  last_moved_timestamp?: number | null
  reactions: Many<Reaction>
  recipient_id: number
  sender_email: string
  sender_full_name: string
  sender_id: number
  sender_realm_str: string
  submessages?: Many<{ sender_id: number; msg_type: string; content: string }> | null
  timestamp: number
  subject: string
  avatar_url: string | null
  match_content?: string | null
  match_subject?: string | null
  type: 'stream' | 'private'
  stream_id?: number
  display_recipient: string | Many<{ id: number; email: string; full_name: string }>
}

interface Page {
  anchor: number
  found_newest: boolean
  found_oldest: boolean
  found_anchor: boolean
  history_limited: boolean
  messages: Many<Message>
}

interface Marked {
  processed_count: number
  updated_count: number
  found_oldest: boolean
  found_newest: boolean
}

interface UserTopic {
  stream_id: number
  topic_name: string
  last_updated: number
  visibility_policy: number
}

/** Only fields that are set; in events, only changed ones. */
interface UserStatus {
  status_text?: string | null
  away?: boolean | null
  emoji_name?: string | null
  emoji_code?: string | null
  reaction_type?: string | null
}

interface MutedUser {
  id: number
  timestamp?: number | null
}

/** With all that the client asks for: 36 fields that it needs, and 18 that it reads if they are there. */
interface Registered {
  last_event_id: number
  zulip_feature_level: number
  zulip_version: string
  zulip_merge_base: string
  alert_words: Many<string>
  custom_profile_fields: Many<{
    id: number
    type: number
    order: number
    name: string
    hint: string
    field_data: string
    display_in_profile_summary?: boolean | null
  }>
  max_stream_name_length: number
  max_topic_length: number
  server_presence_ping_interval_seconds: number
  server_presence_offline_threshold_seconds: number
  muted_users: Many<MutedUser>
  realm_emoji: By<{ id: string; name: string; source_url: string; still_url?: string | null; deactivated: boolean }>
  realm_user_groups: Many<UserGroup>
  recent_private_conversations: Many<{ max_message_id: number; user_ids: Many<number> }>
  subscriptions: Many<Subscription>
  unread_msgs: {
    count: number
    pms: Many<{ other_user_id: number; unread_message_ids: Many<number> }>
    streams: Many<{ stream_id: number; topic: string; unread_message_ids: Many<number> }>
    huddles: Many<{ user_ids_string: string; unread_message_ids: Many<number> }>
    mentions: Many<number>
    old_unreads_missing: boolean
  }
  starred_messages: Many<number>
  streams: Many<Channel>
  user_status: By<UserStatus>
  user_settings: {
    twenty_four_hour_time: boolean | null
    starred_message_counts: boolean
    display_emoji_reaction_users: boolean
    emojiset: string
    presence_enabled: boolean
  }
  user_topics: Many<UserTopic>
  realm_wildcard_mention_policy: 1 | 2 | 3 | 5 | 6 | 7
  realm_name: string
  realm_waiting_period_threshold: number
  realm_allow_message_editing: boolean
  realm_enable_read_receipts: boolean
  realm_icon_url: string
  realm_presence_disabled: boolean
  realm_default_external_accounts: By<{ name: string; text: string; hint: string; url_pattern: string }>
  max_file_upload_size_mib: number
  server_emoji_data_url: string
  event_queue_longpoll_timeout_seconds: number
  realm_users: Many<User>
  realm_non_active_users: Many<User>
  cross_realm_bots: Many<User>

  queue_id?: string | null
  server_typing_started_expiry_period_milliseconds?: number | null
  server_typing_stopped_wait_period_milliseconds?: number | null
  server_typing_started_wait_period_milliseconds?: number | null
  saved_snippets?: Many<{ id: number; title: string; content: string; date_created: number }> | null
  channel_folders?: Many<{
    id: number
    name: string
    description: string
    rendered_description: string
    is_archived: boolean
  }> | null
  devices?: By<{ push_key_id?: number | null; push_token_id?: string | null }> | null
  realm_can_delete_any_message_group?: GroupSetting | null
  realm_can_delete_own_message_group?: GroupSetting | null
  realm_delete_own_message_policy?: 1 | 2 | 3 | 4 | 5 | null
  realm_topics_policy?: string | null
  realm_mandatory_topics?: boolean | null
  realm_message_content_delete_limit_seconds?: number | null
  realm_message_content_edit_limit_seconds?: number | null
  server_thumbnail_formats?: Many<{
    name: string
    max_width: number
    max_height: number
    animated: boolean
    format: string
  }> | null
  realm_moderation_request_channel_id?: number | null
  realm_empty_topic_display_name?: string | null
  server_report_message_types?: Many<{ key: string; name: string }> | null
}

interface ServerSettings {
  authentication_methods: By<boolean> & { ldap: boolean }
  external_authentication_methods: Many<unknown>
  zulip_feature_level: number
  zulip_version: string
  zulip_merge_base: string
  push_notifications_enabled: boolean
  is_incompatible: boolean
  email_auth_enabled: boolean
  require_email_format_usernames: boolean
  realm_uri: string
  realm_name: string
  realm_icon: string
  realm_description: string
  realm_web_public_access_enabled: boolean
}

interface EditEvent {
  user_id: number | null
  rendering_only: boolean
  message_id: number
  message_ids: Many<number>
  flags: Many<string>
  edit_timestamp: number
  stream_id?: number | null
  orig_content?: string | null
  orig_rendered_content?: string | null
  content?: string | null
  rendered_content?: string | null
  is_me_message?: boolean | null
}

interface UnreadEvent {
  flag: string
  messages: Many<number>
  message_details: By<{
    type: 'stream' | 'private'
    mentioned?: boolean | null
    user_ids?: Many<number> | null
    stream_id?: number | null
    topic?: string | null
  }>
}

interface DeleteEvent {
  message_ids: Many<number>
  message_type: 'stream' | 'private'
  stream_id?: number | null
  topic?: string | null
}

interface TypingEvent {
  sender: { user_id: number }
  stream_id?: number
  topic?: string
  recipients?: Many<{ user_id: number }>
}

interface ClientPresence {
  client: string
  status: 'active' | 'idle' | 'offline'
  timestamp: number
}

interface Peers {
  stream_ids: Many<number>
  user_ids: Many<number>
}

/** Compiles only if whatever has the type `Promised` has the type `Needed`; `false` if the contract has no `Promised`. */
type Fits<Needed, Promised extends Needed> = [Promised] extends [never] ? false : true
type Holds<All extends readonly true[]> = All

/** `Required`: what the client asks for is there. */
export type Answers = Holds<
  [
    Fits<ServerSettings, Output<'get-server-settings'>>,
    Fits<{ api_key: string; email: string }, Output<'fetch-api-key'>>,
    Fits<{ user_id: number }, Output<'get-own-user'>>,
    Fits<Registered, Required<Output<'register-queue'>>>,
    Fits<{ code_to_names: By<Many<string>> }, Output<'get-emoji-data'>>,
    Fits<{ events: Many<{ id: number; type: string }> }, Output<'get-events'>>,
    Fits<{ presence_last_update_id: number }, Output<'update-presence'>>,
    Fits<By<{ active_timestamp: number; idle_timestamp: number }>, Schemas['Presences']>,
    Fits<Page, Required<Output<'get-messages'>>>,
    Fits<{ id: number }, Output<'send-message'>>,
    Fits<{ message: Message }, Output<'get-message'>>,
    Fits<{ messages: Many<number> }, Output<'update-message-flags'>>,
    Fits<Marked, Output<'update-message-flags-for-narrow'>>,
    Fits<{ topics: Many<{ name: string; max_id: number }> }, Output<'get-stream-topics'>>,
    Fits<{ user_ids: Many<number> }, Output<'get-read-receipts'>>,
    Fits<{ saved_snippet_id: number }, Output<'create-saved-snippet'>>,
    Fits<{ device_id: number }, Output<'register-client-device'>>,
  ]
>

export type Events = Holds<
  [
    Fits<{ message: Message; flags: Many<string>; local_message_id?: string }, EventOf<'message'>>,
    Fits<Reaction & { message_id: number }, EventOf<'reaction'>>,
    Fits<EditEvent, EventOf<'update_message'>>,
    Fits<{ flag: string; messages: Many<number>; all: boolean }, EventOf<'update_message_flags', 'add'>>,
    Fits<UnreadEvent, Required<EventOf<'update_message_flags', 'remove'>>>,
    Fits<DeleteEvent, Required<EventOf<'delete_message'>>>,
    Fits<TypingEvent, EventOf<'typing'>>,
    Fits<{ user_id: number; server_timestamp: number; presence: By<ClientPresence> }, Schemas['LegacyPresenceEvent']>,
    Fits<UserStatus & { user_id: number }, EventOf<'user_status'>>,
    Fits<{ subscriptions: Many<Subscription> }, EventOf<'subscription', 'add'>>,
    Fits<Peers, EventOf<'subscription', 'peer_add' | 'peer_remove'>>,
    Fits<{ stream_id: number; property: string; value: unknown }, EventOf<'subscription', 'update'>>,
    Fits<{ subscriptions: Many<{ stream_id: number; name: string }> }, EventOf<'subscription', 'remove'>>,
    Fits<{ streams: Many<Channel> }, EventOf<'stream', 'create'>>,
    Fits<{ stream_ids: Many<number> }, EventOf<'stream', 'delete'>>,
    Fits<UserTopic, EventOf<'user_topic'>>,
    Fits<{ alert_words: Many<string> }, EventOf<'alert_words'>>,
    Fits<{ muted_users: Many<MutedUser> }, EventOf<'muted_users'>>,
    Fits<{ property: string; value: unknown }, EventOf<'user_settings', 'update'>>,
    Fits<{ person: User }, EventOf<'realm_user', 'add'>>,
    Fits<{ person: { user_id: number; full_name?: string; is_active?: boolean } }, EventOf<'realm_user', 'update'>>,
  ]
>
