import type { Call, EventStep } from './client.ts'
import { channel, message, mutedUser, subscription, user, userStatus, userTopic } from './mobile-shapes.ts'
import {
  any,
  ascendingInts,
  bool,
  both,
  fields,
  int,
  list,
  mapOf,
  nullable,
  number,
  oneOf,
  optional,
  str,
  without,
} from './shape.ts'

const by = (as: string, method: Call['method'], path: Call['path'], parameters?: Call['parameters']): Call => ({
  as,
  method,
  path,
  ...(parameters && { parameters }),
})
const toMessage = (rest = ''): Call['path'] =>
  rest === ''
    ? ({ channelMessageId }) => `/messages/${channelMessageId}`
    : ({ channelMessageId }) => `/messages/${channelMessageId}${rest}`

const messageEvent = fields({ message: both(message, without('flags')), flags: list(str) })

const reactionEvent = fields({
  message_id: int,
  user_id: int,
  emoji_name: str,
  emoji_code: str,
  reaction_type: oneOf('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'),
})

const editEvent = fields({
  user_id: nullable(int),
  rendering_only: bool,
  message_id: int,
  message_ids: list(int),
  flags: list(str),
  edit_timestamp: int,
  stream_id: optional(int),
  orig_content: optional(str),
  orig_rendered_content: optional(str),
  content: optional(str),
  rendered_content: optional(str),
  is_me_message: optional(bool),
})

const subscribe = (as: string, name: string, ...principals: readonly string[]): Call =>
  by(as, 'POST', '/users/me/subscriptions', ({ userIds }) => ({
    subscriptions: [{ name }],
    ...(principals.length > 0 && { principals: principals.map((key) => userIds[key]) }),
  }))

const messageDetails = fields({
  type: oneOf('stream', 'private'),
  mentioned: optional(bool),
  user_ids: optional(list(int)),
  stream_id: optional(int),
  topic: optional(str),
})

const clientPresence = fields({ client: str, status: oneOf('active', 'idle', 'offline'), timestamp: int })

function changeFlag(flag: string, op: 'add' | 'remove'): Call['parameters'] {
  return ({ channelMessageId }) => ({ messages: [channelMessageId], op, flag })
}

/** Actions while the mobile client runs, and what it decodes in the events. */
export const events: readonly EventStep[] = [
  {
    does: 'message in a channel',
    acts: [
      by('member2', 'POST', '/messages', {
        type: 'channel',
        to: 'design',
        topic: '',
        content: '@**Max Member** :octopus: ```sh\nls\n```',
      }),
    ],
    type: 'message',
    event: messageEvent,
  },
  {
    does: 'direct message',
    acts: [
      by('member2', 'POST', '/messages', ({ userIds }) => ({ type: 'direct', to: [userIds.member], content: 'psst' })),
    ],
    type: 'message',
    event: messageEvent,
  },
  {
    does: 'own message comes back with its local id',
    acts: [
      by('member', 'POST', '/messages', ({ queueId, channelId }) => ({
        type: 'stream',
        to: channelId,
        topic: 'plans',
        content: 'mine',
        queue_id: queueId,
        local_id: '18',
      })),
    ],
    type: 'message',
    event: both(messageEvent, fields({ local_message_id: oneOf('18') })),
  },
  {
    does: 'poll',
    acts: [
      by('member2', 'POST', '/messages', {
        type: 'channel',
        to: 'design',
        topic: 'plans',
        content: '/poll When?\nnoon\none',
      }),
    ],
    type: 'message',
    event: messageEvent,
  },
  {
    does: 'reaction',
    acts: [by('member2', 'POST', toMessage('/reactions'), { emoji_name: 'zulip' })],
    type: 'reaction',
    op: 'add',
    event: reactionEvent,
  },
  {
    does: 'reaction taken back',
    acts: [by('member2', 'DELETE', toMessage('/reactions'), { emoji_name: 'zulip' })],
    type: 'reaction',
    op: 'remove',
    event: reactionEvent,
  },
  {
    does: 'content edited: no propagate_mode without a move',
    acts: [by('member2', 'PATCH', toMessage(), { content: 'Lunch at **one**!' })],
    type: 'update_message',
    event: both(editEvent, without('propagate_mode')),
  },
  {
    does: 'read on another device',
    acts: [by('member', 'POST', '/messages/flags', changeFlag('read', 'add'))],
    type: 'update_message_flags',
    op: 'add',
    event: fields({ flag: str, messages: list(int), all: bool }),
  },
  {
    does: 'unread again on another device',
    acts: [by('member', 'POST', '/messages/flags', changeFlag('read', 'remove'))],
    type: 'update_message_flags',
    op: 'remove',
    event: fields({ flag: str, messages: list(int), message_details: mapOf(messageDetails, 'integer') }),
  },
  {
    does: 'message deleted: in bulk form',
    acts: [by('owner', 'DELETE', toMessage())],
    type: 'delete_message',
    event: fields({
      message_ids: ascendingInts,
      message_type: oneOf('stream', 'private'),
      stream_id: optional(int),
      topic: optional(str),
    }),
  },
  {
    does: 'somebody types in a topic',
    acts: [
      by('member2', 'POST', '/typing', ({ channelId }) => ({
        type: 'channel',
        op: 'start',
        stream_id: channelId,
        topic: 'plans',
      })),
    ],
    type: 'typing',
    op: 'start',
    event: fields({ message_type: oneOf('stream'), sender: fields({ user_id: int }), stream_id: int, topic: str }),
  },
  {
    does: 'somebody types in a conversation',
    acts: [by('member2', 'POST', '/typing', ({ userIds }) => ({ type: 'direct', op: 'start', to: [userIds.member] }))],
    type: 'typing',
    op: 'start',
    event: fields({
      message_type: oneOf('direct'),
      sender: fields({ user_id: int }),
      recipients: list(fields({ user_id: int })),
    }),
  },
  {
    does: 'somebody comes online, legacy form',
    acts: [by('moderator', 'POST', '/users/me/presence', { status: 'active', new_user_input: true })],
    type: 'presence',
    event: fields({ user_id: int, server_timestamp: number, presence: mapOf(clientPresence) }),
  },
  {
    does: 'status',
    acts: [by('member2', 'POST', '/users/me/status', { status_text: 'out', emoji_name: 'zulip' })],
    type: 'user_status',
    event: both(fields({ user_id: int }), userStatus),
  },
  {
    does: 'joined a channel on another device',
    acts: [subscribe('member', 'elsewhere')],
    type: 'subscription',
    op: 'add',
    event: fields({ subscriptions: list(subscription) }),
  },
  {
    does: 'somebody joins a channel',
    acts: [subscribe('member2', 'design', 'admin')],
    type: 'subscription',
    op: 'peer_add',
    event: fields({ stream_ids: list(int), user_ids: list(int) }),
  },
  {
    does: 'somebody leaves a channel',
    acts: [by('admin', 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })],
    type: 'subscription',
    op: 'peer_remove',
    event: fields({ stream_ids: list(int), user_ids: list(int) }),
  },
  {
    does: 'channel muted on another device',
    acts: [
      by('member', 'POST', '/users/me/subscriptions/properties', ({ channelId }) => ({
        subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
      })),
    ],
    type: 'subscription',
    op: 'update',
    event: fields({ stream_id: int, property: str, value: any }),
  },
  {
    does: 'left a channel on another device',
    acts: [by('member', 'DELETE', '/users/me/subscriptions', { subscriptions: ['elsewhere'] })],
    type: 'subscription',
    op: 'remove',
    event: fields({ subscriptions: list(fields({ stream_id: int, name: str })) }),
  },
  {
    does: 'new channel',
    acts: [subscribe('member2', 'brand new')],
    type: 'stream',
    op: 'create',
    event: fields({ streams: list(channel) }),
  },
  {
    does: 'channel archived',
    acts: [by('owner', 'DELETE', ({ otherChannelId }) => `/streams/${otherChannelId}`)],
    type: 'stream',
    op: 'delete',
    event: fields({ stream_ids: list(int) }),
  },
  {
    does: 'topic followed on another device',
    acts: [
      by('member', 'POST', '/user_topics', ({ channelId }) => ({
        stream_id: channelId,
        topic: 'release',
        visibility_policy: 3,
      })),
    ],
    type: 'user_topic',
    event: userTopic,
  },
  {
    does: 'alert words changed on another device',
    acts: [by('member', 'POST', '/users/me/alert_words', { alert_words: ['coffee'] })],
    type: 'alert_words',
    event: fields({ alert_words: list(str) }),
  },
  {
    does: 'somebody muted on another device',
    acts: [by('member', 'POST', ({ userIds }) => `/users/me/muted_users/${userIds.moderator}`)],
    type: 'muted_users',
    event: fields({ muted_users: list(mutedUser) }),
  },
  {
    does: 'setting changed on another device',
    acts: [by('member', 'PATCH', '/settings', { twenty_four_hour_time: false })],
    type: 'user_settings',
    op: 'update',
    event: fields({ property: str, value: any }),
  },
  {
    does: 'new account',
    acts: [
      by('owner', 'POST', '/users', { email: 'new@parley.example', password: 'correct horse', full_name: 'Nora New' }),
    ],
    type: 'realm_user',
    op: 'add',
    event: fields({ person: user }),
  },
  {
    does: 'name changed',
    acts: [by('owner', 'PATCH', ({ userIds }) => `/users/${userIds.guest}`, { full_name: 'Gus' })],
    type: 'realm_user',
    op: 'update',
    event: fields({ person: fields({ user_id: int, full_name: str }) }),
  },
  {
    does: 'account deactivated',
    acts: [by('owner', 'DELETE', ({ userIds }) => `/users/${userIds.guest}`)],
    type: 'realm_user',
    op: 'update',
    event: fields({ person: fields({ user_id: int, is_active: bool }) }),
  },
]
