import type { Known } from './client.ts'

/** One method of a client library, called as its documentation shows. */
export interface LibraryCall {
  /** As in the library's own language. */
  readonly name: string
  /** What it sends. */
  readonly endpoint: (known: Known) => readonly [method: string, path: string]
  readonly args: (known: Known) => readonly unknown[]
  /** Whose account; absent: the member's. */
  readonly as?: string
  /** A field that the answer must have. */
  readonly answers?: string
}

const at =
  (method: string, path: string | ((known: Known) => string)): LibraryCall['endpoint'] =>
  (known) => [method, typeof path === 'string' ? path : path(known)]
const toOwn =
  (rest = '') =>
  ({ ownMessageId }: Known) =>
    `/messages/${ownMessageId}${rest}`
const none = () => []

const THUMB = { emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** Methods of zulip.Client that everyday chat needs, in an order in which each finds what it needs. */
export const PYTHON_CALLS: readonly LibraryCall[] = [
  {
    name: 'send_message',
    endpoint: at('POST', '/messages'),
    args: () => [{ type: 'stream', to: 'design', topic: 'plans', content: 'from *Python*' }],
    answers: 'id',
  },
  {
    name: 'update_message',
    endpoint: at('PATCH', toOwn()),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId, content: 'from **Python**' }],
  },
  {
    name: 'get_message_history',
    endpoint: at('GET', toOwn('/history')),
    args: ({ ownMessageId }) => [ownMessageId],
    answers: 'message_history',
  },
  {
    name: 'add_reaction',
    endpoint: at('POST', toOwn('/reactions')),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId, emoji_name: 'octopus' }],
  },
  {
    name: 'remove_reaction',
    endpoint: at('DELETE', toOwn('/reactions')),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId, emoji_name: 'octopus' }],
  },
  {
    name: 'check_messages_match_narrow',
    endpoint: at('GET', '/messages/matches_narrow'),
    args: none,
    answers: 'messages',
  },
  {
    name: 'render_message',
    endpoint: at('POST', '/messages/render'),
    args: () => [{ content: '*x*' }],
    answers: 'rendered',
  },
  {
    name: 'update_message_flags',
    endpoint: at('POST', '/messages/flags'),
    args: ({ channelMessageId }) => [{ messages: [channelMessageId], op: 'add', flag: 'starred' }],
    answers: 'messages',
  },
  {
    name: 'mark_topic_as_read',
    endpoint: at('POST', '/mark_topic_as_read'),
    args: ({ channelId }) => [channelId, 'plans'],
  },
  { name: 'mark_stream_as_read', endpoint: at('POST', '/mark_stream_as_read'), args: ({ channelId }) => [channelId] },
  { name: 'mark_all_as_read', endpoint: at('POST', '/mark_all_as_read'), args: none },
  {
    name: 'set_typing_status',
    endpoint: at('POST', '/typing'),
    args: ({ userIds }) => [{ op: 'start', to: [userIds.member2] }],
  },
  { name: 'get_realm_emoji', endpoint: at('GET', '/realm/emoji'), args: none, answers: 'emoji' },
  { name: 'get_attachments', endpoint: at('GET', '/attachments'), args: none, answers: 'attachments' },
  {
    name: 'update_presence',
    endpoint: at('POST', '/users/me/presence'),
    args: () => [{ status: 'active', ping_only: false, new_user_input: false }],
    answers: 'presences',
  },
  {
    name: 'get_user_presence',
    endpoint: at('GET', ({ emails }) => `/users/${emails.member}/presence`),
    args: ({ emails }) => [emails.member],
    answers: 'presence',
  },
  { name: 'get_realm_presence', endpoint: at('GET', '/realm/presence'), args: none, answers: 'presences' },
  {
    name: 'get_user_by_id',
    endpoint: at('GET', ({ userIds }) => `/users/${userIds.member2}`),
    args: ({ userIds }) => [userIds.member2],
    answers: 'user',
  },
  {
    name: 'update_user_by_id',
    as: 'owner',
    endpoint: at('PATCH', ({ userIds }) => `/users/${userIds.guest}`),
    args: ({ userIds }) => [userIds.guest],
  },
  {
    name: 'deactivate_user_by_id',
    as: 'owner',
    endpoint: at('DELETE', ({ userIds }) => `/users/${userIds.guest}`),
    args: ({ userIds }) => [userIds.guest],
  },
  {
    name: 'reactivate_user_by_id',
    as: 'owner',
    endpoint: at('POST', ({ userIds }) => `/users/${userIds.guest}/reactivate`),
    args: ({ userIds }) => [userIds.guest],
  },
  {
    name: 'add_alert_words',
    endpoint: at('POST', '/users/me/alert_words'),
    args: () => [['coffee']],
    answers: 'alert_words',
  },
  { name: 'get_alert_words', endpoint: at('GET', '/users/me/alert_words'), args: none, answers: 'alert_words' },
  {
    name: 'remove_alert_words',
    endpoint: at('DELETE', '/users/me/alert_words'),
    args: () => [['coffee']],
    answers: 'alert_words',
  },
  {
    name: 'update_notification_settings',
    endpoint: at('PATCH', '/settings/notifications'),
    args: () => [{ enable_sounds: false }],
  },
  { name: 'get_stream_id', endpoint: at('GET', '/get_stream_id'), args: () => ['design'], answers: 'stream_id' },
  {
    name: 'get_stream_topics',
    endpoint: at('GET', ({ channelId }) => `/users/me/${channelId}/topics`),
    args: ({ channelId }) => [channelId],
    answers: 'topics',
  },
  {
    name: 'get_subscription_status',
    endpoint: at('GET', ({ userIds, channelId }) => `/users/${userIds.member2}/subscriptions/${channelId}`),
    args: ({ userIds, channelId }) => [userIds.member2, channelId],
    answers: 'is_subscribed',
  },
  {
    name: 'mute_topic',
    endpoint: at('PATCH', '/users/me/subscriptions/muted_topics'),
    args: () => [{ stream: 'design', topic: 'plans', op: 'add' }],
  },
  {
    name: 'update_subscription_settings',
    endpoint: at('POST', '/users/me/subscriptions/properties'),
    args: ({ channelId }) => [[{ stream_id: channelId, property: 'pin_to_top', value: true }]],
  },
  {
    name: 'remove_subscriptions',
    endpoint: at('DELETE', '/users/me/subscriptions'),
    args: () => [['design']],
    answers: 'removed',
  },
  { name: 'delete_message', as: 'owner', endpoint: at('DELETE', toOwn()), args: ({ ownMessageId }) => [ownMessageId] },
  {
    name: 'delete_stream',
    as: 'owner',
    endpoint: at('DELETE', ({ otherChannelId }) => `/streams/${otherChannelId}`),
    args: ({ otherChannelId }) => [otherChannelId],
  },
  {
    name: 'update_storage',
    as: 'bot',
    endpoint: at('PUT', '/bot_storage'),
    args: () => [{ storage: { 'entry 1': '"value"' } }],
  },
  {
    name: 'get_storage',
    as: 'bot',
    endpoint: at('GET', '/bot_storage'),
    args: () => [{ keys: ['entry 1'] }],
    answers: 'storage',
  },
]

/** Methods of zulip-js, by their path in its client. */
export const JAVASCRIPT_CALLS: readonly LibraryCall[] = [
  {
    name: 'messages.send',
    endpoint: at('POST', '/messages'),
    args: ({ channelId }) => [{ type: 'stream', to: channelId, topic: 'plans', content: 'from *JavaScript*' }],
    answers: 'id',
  },
  {
    name: 'messages.update',
    endpoint: at('PATCH', toOwn()),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId, content: 'from **JavaScript**' }],
  },
  {
    name: 'messages.getHistoryById',
    endpoint: at('GET', toOwn('/history')),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId }],
    answers: 'message_history',
  },
  {
    name: 'reactions.add',
    endpoint: at('POST', toOwn('/reactions')),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId, ...THUMB }],
  },
  {
    name: 'reactions.remove',
    endpoint: at('DELETE', toOwn('/reactions')),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId, ...THUMB }],
  },
  { name: 'messages.render', endpoint: at('POST', '/messages/render'), args: () => ['*x*'], answers: 'rendered' },
  {
    name: 'messages.flags.add',
    endpoint: at('POST', '/messages/flags'),
    args: ({ channelMessageId }) => [{ messages: [channelMessageId], flag: 'starred' }],
    answers: 'messages',
  },
  {
    name: 'messages.flags.remove',
    endpoint: at('POST', '/messages/flags'),
    args: ({ channelMessageId }) => [{ messages: [channelMessageId], flag: 'starred' }],
    answers: 'messages',
  },
  {
    name: 'typing.send',
    endpoint: at('POST', '/typing'),
    args: ({ userIds }) => [{ op: 'start', to: [userIds.member2, userIds.owner] }],
  },
  { name: 'emojis.retrieve', endpoint: at('GET', '/realm/emoji'), args: none, answers: 'emoji' },
  { name: 'streams.getStreamId', endpoint: at('GET', '/get_stream_id'), args: () => ['design'], answers: 'stream_id' },
  {
    name: 'streams.topics.retrieve',
    endpoint: at('GET', ({ channelId }) => `/users/me/${channelId}/topics`),
    args: ({ channelId }) => [{ stream_id: channelId }],
    answers: 'topics',
  },
  {
    name: 'users.me.alertWords.retrieve',
    endpoint: at('GET', '/users/me/alert_words'),
    args: none,
    answers: 'alert_words',
  },
  {
    name: 'users.me.subscriptions.remove',
    endpoint: at('DELETE', '/users/me/subscriptions'),
    args: () => [{ subscriptions: '["design"]' }],
    answers: 'removed',
  },
  {
    name: 'messages.deleteById',
    as: 'owner',
    endpoint: at('DELETE', toOwn()),
    args: ({ ownMessageId }) => [{ message_id: ownMessageId }],
  },
  {
    name: 'streams.deleteById',
    as: 'owner',
    endpoint: at('DELETE', ({ otherChannelId }) => `/streams/${otherChannelId}`),
    args: ({ otherChannelId }) => [{ stream_id: otherChannelId }],
  },
]
