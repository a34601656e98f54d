import type { LibraryCall } from './library-call.ts'
import { PYTHON_ADMINISTRATION } from './python-administration.ts'

const THUMB = { emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** Methods of zulip.Client, in an order in which each finds what it needs. */
export const PYTHON_CALLS: readonly LibraryCall[] = [
  {
    name: 'send_message',
    args: () => [{ type: 'stream', to: ['design'], topic: 'plans', content: 'from *Python*' }],
    answers: 'id',
  },
  { name: 'update_message', args: ({ ownMessageId }) => [{ message_id: ownMessageId, content: 'from **Python**' }] },
  { name: 'get_message_history', args: ({ ownMessageId }) => [ownMessageId], answers: 'message_history' },
  { name: 'add_reaction', args: ({ ownMessageId }) => [{ message_id: ownMessageId, emoji_name: 'octopus' }] },
  { name: 'remove_reaction', args: ({ ownMessageId }) => [{ message_id: ownMessageId, emoji_name: 'octopus' }] },
  {
    name: 'check_messages_match_narrow',
    named: ({ channelMessageId }) => ({ msg_ids: [channelMessageId], narrow: [['has', 'link']] }),
    answers: 'messages',
  },
  { name: 'render_message', args: () => [{ content: '*x*' }], answers: 'rendered' },
  {
    name: 'update_message_flags',
    args: ({ channelMessageId }) => [{ messages: [channelMessageId], op: 'add', flag: 'starred' }],
    answers: 'messages',
  },
  { name: 'mark_topic_as_read', args: ({ channelId }) => [channelId, 'plans'] },
  { name: 'mark_stream_as_read', args: ({ channelId }) => [channelId] },
  { name: 'mark_all_as_read' },
  { name: 'set_typing_status', args: ({ userIds }) => [{ op: 'start', to: [userIds.member2] }] },
  { name: 'get_realm_emoji', answers: 'emoji' },
  { name: 'get_attachments', answers: 'attachments' },
  {
    name: 'update_presence',
    args: () => [{ status: 'active', ping_only: false, new_user_input: false }],
    answers: 'presences',
  },
  { name: 'get_user_presence', args: ({ emails }) => [emails.member], answers: 'presence' },
  { name: 'get_realm_presence', answers: 'presences' },
  { name: 'get_user_by_id', args: ({ userIds }) => [userIds.member2], answers: 'user' },
  { name: 'update_user_by_id', as: 'owner', args: ({ userIds }) => [userIds.guest] },
  { name: 'deactivate_user_by_id', as: 'owner', args: ({ userIds }) => [userIds.guest] },
  { name: 'reactivate_user_by_id', as: 'owner', args: ({ userIds }) => [userIds.guest] },
  { name: 'add_alert_words', args: () => [['coffee']], answers: 'alert_words' },
  { name: 'get_alert_words', answers: 'alert_words' },
  { name: 'remove_alert_words', args: () => [['coffee']], answers: 'alert_words' },
  { name: 'update_notification_settings', args: () => [{ enable_sounds: false }] },
  { name: 'get_stream_id', args: () => ['design'], answers: 'stream_id' },
  { name: 'get_stream_topics', args: ({ channelId }) => [channelId], answers: 'topics' },
  {
    name: 'get_subscription_status',
    args: ({ userIds, channelId }) => [userIds.member2, channelId],
    answers: 'is_subscribed',
  },
  { name: 'mute_topic', args: () => [{ stream: 'design', topic: 'plans', op: 'add' }] },
  {
    name: 'update_subscription_settings',
    args: ({ channelId }) => [[{ stream_id: channelId, property: 'pin_to_top', value: true }]],
  },
  {
    name: 'add_subscriptions',
    args: () => [[{ name: 'made by Python', description: 'new' }]],
    named: ({ emails }) => ({ principals: [emails.member, emails.member2] }),
    answers: 'subscribed',
  },
  { name: 'remove_subscriptions', args: () => [['design']], answers: 'removed' },
  ...PYTHON_ADMINISTRATION,
  { name: 'delete_message', as: 'owner', args: ({ ownMessageId }) => [ownMessageId] },
  { name: 'delete_stream', as: 'owner', args: ({ otherChannelId }) => [otherChannelId] },
  { name: 'update_storage', as: 'bot', args: () => [{ storage: { 'entry 1': '"value"' } }] },
  { name: 'get_storage', as: 'bot', args: () => [{ keys: ['entry 1'] }], answers: 'storage' },
]

/** Methods of zulip-js, by their path in its client. */
export const JAVASCRIPT_CALLS: readonly LibraryCall[] = [
  {
    name: 'messages.send',
    args: ({ channelId }) => [{ type: 'stream', to: channelId, topic: 'plans', content: 'from *JavaScript*' }],
    answers: 'id',
  },
  {
    name: 'messages.update',
    args: ({ ownMessageId }) => [{ message_id: ownMessageId, content: 'from **JavaScript**' }],
  },
  {
    name: 'messages.getHistoryById',
    args: ({ ownMessageId }) => [{ message_id: ownMessageId }],
    answers: 'message_history',
  },
  { name: 'reactions.add', args: ({ ownMessageId }) => [{ message_id: ownMessageId, ...THUMB }] },
  { name: 'reactions.remove', args: ({ ownMessageId }) => [{ message_id: ownMessageId, ...THUMB }] },
  { name: 'messages.render', args: () => ['*x*'], answers: 'rendered' },
  {
    name: 'messages.flags.add',
    args: ({ channelMessageId }) => [{ messages: [channelMessageId], flag: 'starred' }],
    answers: 'messages',
  },
  {
    name: 'messages.flags.remove',
    args: ({ channelMessageId }) => [{ messages: [channelMessageId], flag: 'starred' }],
    answers: 'messages',
  },
  { name: 'typing.send', args: ({ userIds }) => [{ op: 'start', to: [userIds.member2, userIds.owner] }] },
  { name: 'emojis.retrieve', answers: 'emoji' },
  { name: 'users.retrieve', answers: 'members' },
  {
    name: 'users.create',
    as: 'owner',
    args: () => [{ email: 'js@parley.example', password: 'correct horse', full_name: 'Jay Ess' }],
    answers: 'user_id',
  },
  {
    name: 'users.me.subscriptions.add',
    args: () => [{ subscriptions: '[{"name":"made by js"}]' }],
    answers: 'subscribed',
  },
  { name: 'streams.retrieve', args: () => [{ include_public: true }], answers: 'streams' },
  { name: 'streams.subscriptions.retrieve', answers: 'subscriptions' },
  { name: 'streams.getStreamId', args: () => ['design'], answers: 'stream_id' },
  { name: 'streams.topics.retrieve', args: ({ channelId }) => [{ stream_id: channelId }], answers: 'topics' },
  { name: 'users.me.alertWords.retrieve', answers: 'alert_words' },
  { name: 'users.me.subscriptions.remove', args: () => [{ subscriptions: '["design"]' }], answers: 'removed' },
  { name: 'messages.deleteById', as: 'owner', args: ({ ownMessageId }) => [{ message_id: ownMessageId }] },
  { name: 'streams.deleteById', as: 'owner', args: ({ otherChannelId }) => [{ stream_id: otherChannelId }] },
]
