import { any, bool, both, dependingOn, fields, filled, int, list, mapOf, nullable, oneOf, str, tuple } from './shape.ts'

/** The keys that the terminal client indexes (see terminal.ts). */

const person = fields({ user_id: int, email: str, full_name: str })

/** In answers and events; events have `flags` separately. */
export const message = both(
  fields({
    id: int,
    type: oneOf('stream', 'private'),
    sender_id: int,
    sender_email: str,
    sender_full_name: str,
    content: str,
    subject: str,
    timestamp: int,
    reactions: list(fields({ emoji_name: str, emoji_code: str, reaction_type: str, user_id: int })),
    is_me_message: bool,
    client: str,
  }),
  dependingOn(
    fields({ type: oneOf('stream') }),
    fields({ stream_id: int, display_recipient: str }),
    fields({ display_recipient: list(fields({ id: int, email: str, full_name: str })) }),
  ),
)

/** By email address, then by the client's name, and `aggregated`. */
export const legacyPresences = mapOf(
  both(mapOf(fields({ status: oneOf('active', 'idle', 'offline'), timestamp: int })), fields({ aggregated: any })),
)

/** In POST /register and in events. */
export const subscription = fields({
  stream_id: int,
  name: str,
  description: str,
  rendered_description: str,
  color: str,
  pin_to_top: bool,
  is_muted: bool,
  desktop_notifications: nullable(bool),
  invite_only: bool,
  is_web_public: bool,
  history_public_to_subscribers: bool,
  message_retention_days: nullable(int),
  stream_weekly_traffic: nullable(int),
  stream_post_policy: int,
  date_created: int,
  subscribers: list(int),
})

const unreadIds = fields({ unread_message_ids: list(int) })

/** The answer of POST /register. */
export const registered = fields({
  queue_id: str,
  last_event_id: int,
  max_message_id: int,
  zulip_version: str,
  zulip_feature_level: int,
  user_id: int,
  email: str,
  full_name: str,
  realm_name: str,
  realm_message_retention_days: int,
  realm_users: filled(list(both(person, fields({ is_bot: bool })))),
  cross_realm_bots: list(person),
  presences: filled(legacyPresences),
  subscriptions: filled(list(subscription)),
  muted_topics: filled(list(tuple(str, str, int))),
  realm_user_groups: filled(list(fields({ id: int, name: str, description: str, members: list(int) }))),
  unread_msgs: fields({
    pms: filled(list(both(unreadIds, fields({ sender_id: int })))),
    streams: filled(list(both(unreadIds, fields({ stream_id: int, topic: str })))),
    huddles: filled(list(both(unreadIds, fields({ user_ids_string: str })))),
    mentions: filled(list(int)),
  }),
  starred_messages: filled(list(int)),
  realm_emoji: mapOf(fields({ name: str, deactivated: bool })),
  custom_profile_fields: list(fields({ id: int, name: str, type: int })),
  user_settings: fields({
    send_private_typing_notifications: bool,
    twenty_four_hour_time: nullable(bool),
    pm_content_in_desktop_notifications: bool,
  }),
  realm_allow_message_editing: bool,
  realm_message_content_edit_limit_seconds: nullable(int),
  realm_allow_edit_history: bool,
})
