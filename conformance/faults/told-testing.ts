import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { byDefault, changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const subscribe = ['POST', '/users/me/subscriptions'] as const
const ask = ['GET', '/events'] as const
const streams = ['GET', '/streams'] as const
const needsUsers = { needsUsers: true }

const permissions = [
  ...['can_send_message_group', 'can_create_topic_group', 'can_subscribe_group', 'can_remove_subscribers_group'],
  ...['can_delete_any_message_group', 'can_administer_channel_group'],
]

/** Faults in what channels permit, and in what events tell. */
export const faults: readonly SeededFault[] = [
  ...permissions.map((name) =>
    misread('subscribe/permissions', `${name} passed over`, subscribe, without(name), needsUsers),
  ),
  misread(
    'subscribe/topics_policy',
    'named topics everywhere',
    subscribe,
    without('topics_policy', 'empty_topic_only'),
    needsUsers,
  ),
  misread(
    'subscribe/topics_policy',
    'the empty topic everywhere',
    subscribe,
    without('topics_policy', 'disable_empty_topic'),
    needsUsers,
  ),
  misread(
    'subscribe/color',
    'colours of those who join passed over',
    subscribe,
    changedJson('subscriptions', (list: Json[]) => list.map(({ color: _, ...one }) => one)),
  ),
  misanswered(
    'update-own-status/told',
    'statuses told without their emoji',
    ofEvent('user_status', (event) => {
      for (const name of ['emoji_name', 'emoji_code', 'reaction_type']) delete event[name]
    }),
  ),
  misanswered(
    'update-own-status/told',
    'emoji that go are not told',
    ofEvent('user_status', (event) => {
      if (event.emoji_name === '') delete event.emoji_name
    }),
  ),
  misanswered(
    'update-own-status/told',
    'texts that go are not told',
    ofEvent('user_status', (event) => {
      if (event.status_text === '') delete event.status_text
    }),
  ),
  misanswered(
    'mute-user/told',
    'only the last muted user is told',
    ofEvent('muted_users', (event) => {
      event.muted_users = event.muted_users.slice(-1)
    }),
    true,
  ),
  misanswered(
    'mute-user/told',
    'times of muted people told in milliseconds',
    ofEvent('muted_users', (event) => {
      for (const one of event.muted_users) one.timestamp *= 1000
    }),
    true,
  ),
  misanswered(
    'update-user-topic/told',
    'times of topics told in milliseconds',
    ofEvent('user_topic', (event) => {
      event.last_updated *= 1000
    }),
  ),
  misanswered(
    'update-user-topic/told',
    'policies taken back in silence',
    ofEventList((events) =>
      events.filter(({ type, visibility_policy: policy }) => type !== 'user_topic' || policy !== 0),
    ),
  ),
  misanswered(
    'update-user-topic/told',
    'muted topics told by the ID of their channel',
    ofEvent('muted_topics', (event) => {
      for (const one of event.muted_topics) one[0] = 7
    }),
  ),
  misanswered(
    'update-user/name',
    'messages from before with the name of then',
    (answer, { method, path }) => {
      if (method !== 'GET' || !path.startsWith('/messages') || answer.status !== 200) return
      for (const one of [answer.body.message, ...(answer.body.messages ?? [])]) if (one) one.sender_full_name = 'Before'
    },
    true,
  ),
  misanswered(
    'archive-stream/after',
    'archived channels that do not say so',
    ofSuccess('GET', /^\/streams\/\d+$/, ({ stream }) => {
      stream.is_archived = false
    }),
    true,
  ),
  misanswered(
    'archive-stream/after',
    'archived channels without subscribers',
    ofSuccess('GET', /\/members$/, (body) => {
      body.subscribers = []
    }),
    true,
  ),
  misread('get-events/opening', 'queues opened by asking do not know apply_markdown', ask, without('apply_markdown')),
  misread(
    'get-events/opening',
    'queues opened by asking do not know all_public_streams',
    ask,
    without('all_public_streams'),
  ),
  misread('get-events/opening', 'queues opened by asking get everything', ask, without('event_types')),
  misread(
    'get-streams/rights',
    'include_owner_subscribed passed over',
    streams,
    without('include_owner_subscribed'),
    needsUsers,
  ),
  misread('get-streams/rights', 'include_all_active passed over', streams, without('include_all_active'), needsUsers),
  misanswered(
    'register-queue/lists',
    'channels that were left are as if never followed',
    ofSuccess('POST', '/register', (body) => {
      if (!body.unsubscribed) return
      body.never_subscribed.push(...body.unsubscribed)
      body.unsubscribed = []
    }),
  ),
  misread(
    'remove-bot-storage/all',
    'something is kept where everything should go',
    ['DELETE', '/bot_storage'],
    byDefault('keys', '["one"]'),
    needsUsers,
  ),
]
