import type { Known, ScriptedClient, Step } from './client.ts'
import { devices } from './mobile-devices.ts'
import { mobileEvents } from './mobile-events.ts'
import { message, registered, serverSettings } from './mobile-shapes.ts'
import { bool, fields, int, list, mapOf, str } from './shape.ts'

/**
 * The official mobile client, v30.0.274, which is strict about types, null and absence. With one wrong field of POST
 * /register the app does not open; with one in an event it registers again.
 */

const start: readonly Step[] = [
  { does: 'GET /server_settings without credentials', as: 'nobody', answer: serverSettings },
  {
    does: 'POST /fetch_api_key with a password',
    as: 'nobody',
    parameters: ({ emails, password }) => ({ username: emails.member, password }),
    answer: fields({ api_key: str, email: str }),
  },
  { does: 'GET /users/me', answer: fields({ user_id: int }) },
  {
    does: 'POST /register: everything, 36 required fields and 18 optional ones',
    parameters: {
      apply_markdown: true,
      slim_presence: true,
      client_gravatar: false,
      // A string that it encodes as JSON anyway.
      idle_queue_timeout: '"mobile"',
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        user_avatar_url_field_optional: true,
        stream_typing_notifications: true,
        user_settings_object: true,
        include_deactivated_groups: true,
        empty_topic_name: true,
        individual_emoji_changes: true,
      },
    },
    answer: registered,
  },
  {
    does: 'GET server_emoji_data_url without credentials',
    as: 'nobody',
    path: ({ emojiDataUrl }) => emojiDataUrl,
    answer: fields({ code_to_names: mapOf(list(str)) }),
  },
  {
    does: 'GET /events',
    parameters: ({ queueId, lastEventId }) => ({ queue_id: queueId, last_event_id: lastEventId, dont_block: true }),
    answer: fields({ events: list(fields({ id: int, type: str })) }),
  },
  {
    does: 'POST /users/me/presence, modern format, as every minute',
    parameters: {
      last_update_id: -1,
      history_limit_days: 14,
      new_user_input: false,
      ping_only: false,
      status: 'active',
      slim_presence: true,
    },
    answer: fields({
      presence_last_update_id: int,
      presences: mapOf(fields({ active_timestamp: int, idle_timestamp: int }), 'integer'),
    }),
  },
]

const fetched = fields({
  anchor: int,
  found_newest: bool,
  found_oldest: bool,
  found_anchor: bool,
  history_limited: bool,
  messages: list(message),
})

interface Narrow {
  readonly name: string
  of(known: Known): readonly { readonly operator: string; readonly operand: unknown; readonly negated?: boolean }[]
}

const NARROWS: readonly Narrow[] = [
  { name: 'combined feed', of: () => [] },
  { name: 'channel', of: ({ channelId }) => [{ operator: 'channel', operand: channelId }] },
  {
    name: 'topic',
    of: ({ channelId }) => [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: 'plans' },
    ],
  },
  {
    name: 'the empty topic',
    of: ({ channelId }) => [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: '' },
    ],
  },
  { name: 'conversation', of: ({ userIds }) => [{ operator: 'dm', operand: [userIds.member2] }] },
  { name: 'mentions', of: () => [{ operator: 'is', operand: 'mentioned' }] },
  { name: 'starred', of: () => [{ operator: 'is', operand: 'starred' }] },
  { name: 'search', of: () => [{ operator: 'search', operand: 'noon' }] },
  {
    name: 'conversation that goes on from a message',
    of: ({ channelId, channelMessageId }) => [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: 'plans' },
      { operator: 'with', operand: channelMessageId },
    ],
  },
]

const views = NARROWS.map(
  ({ name, of }): Step => ({
    does: `GET /messages, narrow: ${name}`,
    parameters: (known) => ({
      narrow: of(known),
      anchor: 'first_unread',
      num_before: 100,
      num_after: 100,
      client_gravatar: false,
      apply_markdown: true,
      allow_empty_topic_name: true,
    }),
    answer: fetched,
  }),
)

const toOwn = ({ ownMessageId }: Known) => `/messages/${ownMessageId}`

const flag = (name: string, op: string): Step => ({
  does: `POST /messages/flags: ${op} ${name}`,
  parameters: ({ channelMessageId }) => ({ messages: [channelMessageId], op, flag: name }),
  answer: fields({ messages: list(int) }),
})

const uses: readonly Step[] = [
  ...views,
  {
    does: 'GET /messages, from a message on, backwards',
    parameters: ({ directMessageId }) => ({
      narrow: [],
      anchor: directMessageId,
      include_anchor: false,
      num_before: 100,
      num_after: 0,
      client_gravatar: false,
      apply_markdown: true,
      allow_empty_topic_name: true,
    }),
    answer: fetched,
  },
  {
    does: 'POST /messages: direct, to ids',
    parameters: ({ userIds }) => ({ type: 'direct', to: [userIds.member2], content: 'hi', read_by_sender: true }),
    answer: fields({ id: int }),
  },
  {
    does: 'POST /messages: to a channel by its id, old name of the type',
    parameters: ({ channelId, queueId }) => ({
      type: 'stream',
      to: channelId,
      topic: 'plans',
      content: 'hi',
      queue_id: queueId,
      local_id: '17',
      read_by_sender: true,
    }),
    answer: fields({ id: int }),
  },
  {
    does: 'GET /messages/{id}: Markdown to edit',
    path: toOwn,
    parameters: { allow_empty_topic_name: true, apply_markdown: false },
    answer: fields({ message }),
  },
  {
    does: 'PATCH /messages/{id}: content, with the hash of what it was',
    path: toOwn,
    parameters: {
      content: 'hi there',
      // SHA-256 of `hi`.
      prev_content_sha256: '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4',
    },
  },
  {
    does: 'POST /messages/{id}/reactions',
    path: (known) => `${toOwn(known)}/reactions`,
    parameters: { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
  },
  {
    does: 'DELETE /messages/{id}/reactions',
    path: (known) => `${toOwn(known)}/reactions`,
    parameters: { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
  },
  flag('starred', 'remove'),
  flag('starred', 'add'),
  {
    does: 'POST /messages/flags/narrow: read',
    parameters: ({ channelId }) => ({
      anchor: 'oldest',
      include_anchor: false,
      num_before: 0,
      num_after: 1000,
      narrow: [
        { operator: 'is', operand: 'unread' },
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: 'noise' },
      ],
      op: 'add',
      flag: 'read',
    }),
    answer: fields({ processed_count: int, updated_count: int, found_oldest: bool, found_newest: bool }),
  },
  {
    does: 'POST /typing: in a topic',
    parameters: ({ channelId }) => ({ type: 'channel', op: 'start', stream_id: channelId, topic: 'plans' }),
  },
  {
    does: 'POST /typing: direct',
    parameters: ({ userIds }) => ({ type: 'direct', op: 'start', to: [userIds.member2] }),
  },
  {
    does: 'GET /users/me/{stream_id}/topics',
    path: ({ channelId }) => `/users/me/${channelId}/topics`,
    parameters: { allow_empty_topic_name: true },
    answer: fields({ topics: list(fields({ name: str, max_id: int })) }),
  },
  {
    does: 'GET /messages/{id}/read_receipts',
    path: (known) => `${toOwn(known)}/read_receipts`,
    answer: fields({ user_ids: list(int) }),
  },
  {
    does: 'POST /users/me/status',
    parameters: { status_text: 'away', emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' },
  },
  { does: 'PATCH /settings: twenty_four_hour_time', parameters: { twenty_four_hour_time: false } },
  {
    does: 'POST /users/me/subscriptions/properties: pin_to_top',
    parameters: ({ channelId }) => ({
      subscription_data: [{ stream_id: channelId, property: 'pin_to_top', value: true }],
    }),
  },
  {
    does: 'POST /users/me/subscriptions',
    parameters: ({ otherChannel }) => ({ subscriptions: [{ name: otherChannel }] }),
  },
  { does: 'DELETE /users/me/subscriptions', parameters: ({ otherChannel }) => ({ subscriptions: [otherChannel] }) },
  {
    does: 'POST /user_topics',
    parameters: ({ channelId }) => ({ stream_id: channelId, topic: 'later', visibility_policy: 2 }),
  },
  {
    does: 'PATCH /users/me/subscriptions/muted_topics, as with older servers',
    parameters: ({ channelId }) => ({ stream_id: channelId, topic: 'never', op: 'add' }),
  },
  {
    does: 'POST /saved_snippets',
    parameters: { title: 'Hello', content: 'Good **morning**' },
    answer: fields({ saved_snippet_id: int }),
  },
  {
    does: 'POST /messages/{id}/report',
    path: ({ channelMessageId }) => `/messages/${channelMessageId}/report`,
    parameters: { report_type: 'other', description: 'Not at noon.' },
  },
  ...devices,
]

export const mobile: ScriptedClient = {
  name: 'mobile client v30.0.274 (as data)',
  environment: { PARLEY_WIRE_VALUES: 'clients' },
  start,
  uses,
  events: mobileEvents,
  end: [{ does: 'DELETE /messages/{id}', path: toOwn }],
}
