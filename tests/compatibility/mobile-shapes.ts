import {
  any,
  ascendingInts,
  bool,
  both,
  dependingOn,
  fields,
  filled,
  int,
  list,
  mapOf,
  matching,
  nullable,
  oneOf,
  optional,
  str,
  uri,
} from './shape.ts'

/**
 * The fields that the official mobile client decodes (see mobile.ts): with one wrong type it stays at the loading
 * screen.
 */

/** A group's id, or its members and subgroups. */
const groupSettingValue = dependingOn(
  { type: 'object' },
  fields({ direct_members: list(int), direct_subgroups: list(int) }),
  int,
)

const profileValues = mapOf(fields({ value: str, rendered_value: optional(str) }), 'integer')

/** `is_active` is absent in lists of users at registration. */
export const user = fields({
  user_id: int,
  email: str,
  delivery_email: optional(str),
  full_name: str,
  date_joined: str,
  is_active: optional(bool),
  is_bot: bool,
  bot_type: optional(int),
  bot_owner_id: optional(int),
  role: int,
  timezone: str,
  avatar_url: optional(str),
  avatar_version: int,
  profile_data: optional(profileValues),
  is_system_bot: optional(bool),
})

export const channel = fields({
  stream_id: int,
  name: str,
  description: str,
  rendered_description: str,
  date_created: int,
  is_archived: optional(bool),
  first_message_id: optional(int),
  folder_id: optional(int),
  invite_only: bool,
  is_web_public: bool,
  history_public_to_subscribers: bool,
  message_retention_days: optional(int),
  topics_policy: optional(str),
  can_add_subscribers_group: optional(groupSettingValue),
  can_delete_any_message_group: optional(groupSettingValue),
  can_delete_own_message_group: optional(groupSettingValue),
  can_send_message_group: optional(groupSettingValue),
  can_subscribe_group: optional(groupSettingValue),
  is_recently_active: optional(bool),
  stream_weekly_traffic: optional(int),
})

export const subscription = both(
  channel,
  fields({
    pin_to_top: bool,
    is_muted: bool,
    color: matching(/^#[0-9a-f]{6}$/),
    desktop_notifications: optional(bool),
    email_notifications: optional(bool),
    wildcard_mentions_notify: optional(bool),
    push_notifications: optional(bool),
    audible_notifications: optional(bool),
  }),
)

const userGroup = fields({
  id: int,
  members: list(int),
  direct_subgroup_ids: list(int),
  name: str,
  description: str,
  is_system_group: bool,
  deactivated: optional(bool),
})

const reaction = fields({
  emoji_name: str,
  emoji_code: str,
  reaction_type: oneOf('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'),
  user_id: int,
})

/** From GET /messages, with `flags`; events have these separately. */
export const message = both(
  fields({
    client: str,
    content: str,
    content_type: str,
    edit_history: optional(any),
    id: int,
    is_me_message: bool,
    last_edit_timestamp: optional(int),
    last_moved_timestamp: optional(int),
    reactions: list(reaction),
    recipient_id: int,
    sender_email: str,
    sender_full_name: str,
    sender_id: int,
    sender_realm_str: str,
    submessages: optional(list(fields({ sender_id: int, msg_type: str, content: str }))),
    timestamp: int,
    subject: str,
    avatar_url: nullable(str),
    match_content: optional(str),
    match_subject: optional(str),
    type: oneOf('stream', 'private'),
  }),
  dependingOn(
    fields({ type: oneOf('stream') }),
    fields({ stream_id: int, display_recipient: str }),
    fields({ display_recipient: list(fields({ id: int, email: str, full_name: str })) }),
  ),
)

export const userTopic = fields({ stream_id: int, topic_name: str, last_updated: int, visibility_policy: int })

const emojiParts = {
  emoji_name: optional(str),
  emoji_code: optional(str),
  reaction_type: optional(oneOf('', 'unicode_emoji', 'realm_emoji', 'zulip_extra_emoji')),
}
/** Only fields that are set; in events, only changed ones. */
export const userStatus = fields({ status_text: optional(str), away: optional(bool), ...emojiParts })

const perUserPresence = fields({ active_timestamp: int, idle_timestamp: int })

export const mutedUser = fields({ id: int, timestamp: optional(int) })

const realmEmoji = fields({ id: str, name: str, source_url: str, still_url: optional(str), deactivated: bool })

const customProfileField = fields({
  id: int,
  type: int,
  order: int,
  name: str,
  hint: str,
  field_data: str,
  display_in_profile_summary: optional(bool),
})

/** The answer of POST /register: required fields, and then those that are read if present. */
export const registered = fields({
  last_event_id: int,
  zulip_feature_level: int,
  zulip_version: str,
  zulip_merge_base: str,
  alert_words: filled(list(str)),
  custom_profile_fields: list(customProfileField),
  max_stream_name_length: int,
  max_topic_length: int,
  server_presence_ping_interval_seconds: int,
  server_presence_offline_threshold_seconds: int,
  muted_users: filled(list(mutedUser)),
  presences: filled(mapOf(perUserPresence, 'integer')),
  realm_emoji: mapOf(realmEmoji),
  realm_user_groups: filled(list(userGroup)),
  recent_private_conversations: filled(list(fields({ max_message_id: int, user_ids: list(int) }))),
  subscriptions: filled(list(subscription)),
  unread_msgs: fields({
    count: int,
    pms: filled(list(fields({ other_user_id: int, unread_message_ids: ascendingInts }))),
    streams: filled(list(fields({ stream_id: int, topic: str, unread_message_ids: ascendingInts }))),
    huddles: filled(list(fields({ user_ids_string: matching(/^\d+(,\d+)*$/), unread_message_ids: ascendingInts }))),
    mentions: filled(list(int)),
    old_unreads_missing: bool,
  }),
  starred_messages: filled(list(int)),
  streams: list(channel),
  user_status: filled(mapOf(userStatus, 'integer')),
  user_settings: fields({
    twenty_four_hour_time: nullable(bool),
    starred_message_counts: bool,
    display_emoji_reaction_users: bool,
    emojiset: str,
    presence_enabled: bool,
  }),
  user_topics: filled(list(userTopic)),
  realm_wildcard_mention_policy: oneOf(1, 2, 3, 5, 6, 7),
  realm_name: str,
  realm_waiting_period_threshold: int,
  realm_allow_message_editing: bool,
  realm_enable_read_receipts: bool,
  realm_icon_url: uri,
  realm_presence_disabled: bool,
  realm_default_external_accounts: mapOf(fields({ name: str, text: str, hint: str, url_pattern: str })),
  max_file_upload_size_mib: int,
  server_emoji_data_url: uri,
  event_queue_longpoll_timeout_seconds: int,
  realm_users: filled(list(user)),
  realm_non_active_users: list(user),
  cross_realm_bots: list(user),

  queue_id: optional(str),
  server_typing_started_expiry_period_milliseconds: optional(int),
  server_typing_stopped_wait_period_milliseconds: optional(int),
  server_typing_started_wait_period_milliseconds: optional(int),
  saved_snippets: optional(list(fields({ id: int, title: str, content: str, date_created: int }))),
  channel_folders: optional(
    list(fields({ id: int, name: str, description: str, rendered_description: str, is_archived: bool })),
  ),
  devices: optional(mapOf(fields({ push_key_id: optional(int), push_token_id: optional(str) }), 'integer')),
  realm_can_delete_any_message_group: optional(groupSettingValue),
  realm_can_delete_own_message_group: optional(groupSettingValue),
  realm_delete_own_message_policy: optional(oneOf(1, 2, 3, 4, 5)),
  realm_topics_policy: optional(str),
  realm_mandatory_topics: optional(bool),
  realm_message_content_delete_limit_seconds: optional(int),
  realm_message_content_edit_limit_seconds: optional(int),
  server_thumbnail_formats: optional(
    list(fields({ name: str, max_width: int, max_height: int, animated: bool, format: str })),
  ),
  realm_moderation_request_channel_id: optional(int),
  realm_empty_topic_display_name: optional(str),
  server_report_message_types: optional(list(fields({ key: str, name: str }))),
})

/** The answer of GET /server_settings, before anybody has logged in. */
export const serverSettings = fields({
  authentication_methods: both(mapOf(bool), fields({ ldap: bool })),
  external_authentication_methods: list(any),
  zulip_feature_level: int,
  zulip_version: str,
  zulip_merge_base: str,
  push_notifications_enabled: bool,
  is_incompatible: bool,
  email_auth_enabled: bool,
  require_email_format_usernames: bool,
  realm_uri: uri,
  realm_name: str,
  realm_icon: uri,
  realm_description: str,
  realm_web_public_access_enabled: bool,
})
