import type { Known, ScriptedClient, Step } from './client.ts'
import { eventsOf } from './happenings.ts'
import { bool, both, fields, int, list, nullable, str } from './shape.ts'
import { legacyPresences, message, registered } from './terminal-shapes.ts'

/**
 * The terminal client, development head of August 2026: the keys that it indexes without a default. An absent key is a
 * KeyError that ends the program; it is as tolerant of types as Python.
 */

const EVENT_TYPES = [
  'message',
  'update_message',
  'reaction',
  'submessage',
  'subscription',
  'typing',
  'update_message_flags',
  'user_settings',
  'realm_emoji',
  'realm_user',
]
const FETCHED = [
  'realm',
  'presence',
  'subscription',
  'message',
  'starred_messages',
  'update_message_flags',
  'muted_topics',
  'realm_user',
  'realm_user_groups',
  'user_settings',
  'realm_emoji',
  'custom_profile_fields',
  'zulip_version',
]

const presence: Step = {
  does: 'POST /users/me/presence, old format, as every minute',
  parameters: { status: 'active', new_user_input: true },
  answer: fields({ presences: legacyPresences }),
}

const start: readonly Step[] = [
  {
    does: 'GET /server_settings without credentials',
    as: 'nobody',
    answer: fields({ zulip_version: str, zulip_feature_level: int, realm_name: str, realm_uri: str }),
  },
  {
    does: 'POST /fetch_api_key with a password',
    as: 'nobody',
    parameters: ({ emails, password }) => ({ username: emails.member, password }),
    answer: fields({ api_key: str, email: str }),
  },
  {
    does: 'POST /register: every key that it indexes',
    parameters: {
      event_types: EVENT_TYPES,
      fetch_event_types: FETCHED,
      client_gravatar: true,
      apply_markdown: true,
      include_subscribers: true,
    },
    answer: registered,
  },
  {
    does: 'GET /messages from the first unread one',
    parameters: {
      anchor: 0,
      use_first_unread_anchor: true,
      num_before: 30,
      num_after: 10,
      apply_markdown: true,
      client_gravatar: true,
      narrow: '[]',
    },
    answer: fields({ messages: list(both(message, fields({ flags: list(str) }))), anchor: int, found_newest: bool }),
  },
  presence,
  {
    does: 'GET /events',
    parameters: ({ queueId, lastEventId }) => ({ queue_id: queueId, last_event_id: lastEventId, dont_block: true }),
    answer: fields({ events: list(fields({ id: int, type: str })) }),
  },
]

const toOwn = ({ ownMessageId }: Known) => `/messages/${ownMessageId}`

const uses: readonly Step[] = [
  ...(
    [
      [['stream', 'design']],
      [
        ['stream', 'design'],
        ['topic', 'plans'],
      ],
      [['is', 'private']],
      [['is', 'starred']],
      [['is', 'mentioned']],
      [['search', 'noon']],
    ] as const
  ).map(
    (narrow): Step => ({
      does: `GET /messages, narrow ${JSON.stringify(narrow)}`,
      parameters: { anchor: 'newest', num_before: 30, num_after: 10, apply_markdown: true, narrow },
      answer: fields({ messages: list(message), anchor: int, found_newest: bool }),
    }),
  ),
  {
    does: 'GET /messages, pm-with an address',
    parameters: ({ emails }) => ({ anchor: 0, num_before: 0, num_after: 9, narrow: [['pm-with', emails.member2]] }),
    answer: fields({ messages: list(message) }),
  },
  {
    does: 'POST /messages: a direct message, old name, to ids',
    parameters: ({ userIds }) => ({ type: 'private', to: [userIds.member2], content: 'hi', read_by_sender: true }),
    answer: fields({ id: int }),
  },
  {
    does: 'POST /messages: to a channel, `stream` and `subject`',
    parameters: { type: 'stream', to: 'design', subject: 'plans', content: 'hi', read_by_sender: true },
    answer: fields({ id: int }),
  },
  {
    does: 'PATCH /messages/{id}: content',
    path: toOwn,
    parameters: ({ ownMessageId }) => ({ message_id: ownMessageId, content: 'hi there', propagate_mode: 'change_one' }),
  },
  { does: 'GET /messages/{id}: Markdown to edit', path: toOwn, answer: fields({ raw_content: str }) },
  {
    does: 'GET /messages/{id}/history',
    path: (known) => `${toOwn(known)}/history`,
    answer: fields({
      message_history: list(fields({ rendered_content: str, timestamp: int, user_id: nullable(int) })),
    }),
  },
  {
    does: 'POST /messages/{id}/reactions by name, code and type',
    path: (known) => `${toOwn(known)}/reactions`,
    parameters: { emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
  },
  {
    does: 'DELETE /messages/{id}/reactions, form in the body',
    path: (known) => `${toOwn(known)}/reactions`,
    parameters: { emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
  },
  {
    does: 'POST /messages/flags: read',
    parameters: ({ directMessageId }) => ({ messages: [directMessageId], op: 'add', flag: 'read' }),
    answer: fields({ messages: list(int) }),
  },
  {
    does: 'POST /messages/flags: starred',
    parameters: ({ directMessageId }) => ({ messages: [directMessageId], op: 'add', flag: 'starred' }),
  },
  {
    does: 'POST /typing: direct, old name of the type',
    parameters: ({ userIds }) => ({ to: [userIds.member2], op: 'start' }),
  },
  {
    does: 'POST /typing: in a topic',
    parameters: ({ channelId }) => ({ type: 'stream', stream_id: channelId, topic: 'plans', op: 'start' }),
  },
  {
    does: 'GET /users/me/{stream_id}/topics',
    path: ({ channelId }) => `/users/me/${channelId}/topics`,
    answer: fields({ topics: list(fields({ name: str, max_id: int })) }),
  },
  {
    does: 'POST /users/me/subscriptions/properties: is_muted, pin_to_top',
    parameters: ({ channelId }) => ({
      subscription_data: [
        { stream_id: channelId, property: 'is_muted', value: true },
        { stream_id: channelId, property: 'pin_to_top', value: true },
      ],
    }),
  },
]

export const terminal: ScriptedClient = {
  name: 'terminal client, development head of August 2026 (as data)',
  environment: {},
  start,
  uses,
  events: eventsOf('terminal'),
  end: [{ does: 'DELETE /events at its end, form in the body', parameters: ({ queueId }) => ({ queue_id: queueId }) }],
}
