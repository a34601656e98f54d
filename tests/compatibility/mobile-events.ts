import type { Call, EventStep } from './client.ts'
import * as mobile from './mobile-shapes.ts'
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

const messageEvent = fields({ message: both(mobile.message, without('flags')), flags: list(str) })

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

const peers = fields({ stream_ids: list(int), user_ids: list(int) })

/** Actions whose events the mobile client follows, with what it decodes in them. */
export const mobileEvents: readonly EventStep[] = [
  {
    does: 'message in a channel',
    act: by('member2', 'POST', '/messages', {
      type: 'channel',
      to: 'design',
      topic: '',
      content: '@**Max Member** :octopus: ```sh\nls\n```',
    }),
    name: 'message',
    event: messageEvent,
  },
  {
    does: 'direct message',
    act: by('member2', 'POST', '/messages', ({ userIds }) => ({
      type: 'direct',
      to: [userIds.member],
      content: 'psst',
    })),
    name: 'message',
    event: messageEvent,
  },
  {
    does: 'own message comes back with its local id',
    act: by('member', 'POST', '/messages', ({ queueId, channelId }) => ({
      type: 'stream',
      to: channelId,
      topic: 'plans',
      content: 'mine',
      queue_id: queueId,
      local_id: '18',
    })),
    name: 'message',
    event: both(messageEvent, fields({ local_message_id: oneOf('18') })),
  },
  {
    does: 'poll',
    act: by('member2', 'POST', '/messages', {
      type: 'channel',
      to: 'design',
      topic: 'plans',
      content: '/poll When?\nnoon\none',
    }),
    name: 'message',
    event: messageEvent,
  },
  {
    does: 'reaction',
    act: by('member2', 'POST', toMessage('/reactions'), { emoji_name: 'zulip' }),
    name: 'reaction add',
    event: reactionEvent,
  },
  {
    does: 'reaction taken back',
    act: by('member2', 'DELETE', toMessage('/reactions'), { emoji_name: 'zulip' }),
    name: 'reaction remove',
    event: reactionEvent,
  },
  {
    does: 'content edited',
    act: by('member2', 'PATCH', toMessage(), { content: 'Lunch at **one**!' }),
    name: 'update_message',
    event: both(editEvent, without('propagate_mode')),
  },
  {
    does: 'read on another device',
    act: by('member', 'POST', '/messages/flags', changeFlag('read', 'add')),
    name: 'update_message_flags add',
    event: fields({ flag: str, messages: list(int), all: bool }),
  },
  {
    does: 'unread again on another device',
    act: by('member', 'POST', '/messages/flags', changeFlag('read', 'remove')),
    name: 'update_message_flags remove',
    event: fields({ flag: str, messages: list(int), message_details: mapOf(messageDetails, 'integer') }),
  },
  {
    does: 'message deleted: in bulk form',
    act: by('owner', 'DELETE', toMessage()),
    name: 'delete_message',
    event: fields({
      message_ids: ascendingInts,
      message_type: oneOf('stream', 'private'),
      stream_id: optional(int),
      topic: optional(str),
    }),
  },
  {
    does: 'somebody types in a topic',
    act: by('member2', 'POST', '/typing', ({ channelId }) => ({
      type: 'channel',
      op: 'start',
      stream_id: channelId,
      topic: 'plans',
    })),
    name: 'typing start',
    event: fields({ message_type: oneOf('stream'), sender: fields({ user_id: int }), stream_id: int, topic: str }),
  },
  {
    does: 'somebody types in a conversation',
    act: by('member2', 'POST', '/typing', ({ userIds }) => ({ type: 'direct', op: 'start', to: [userIds.member] })),
    name: 'typing start',
    event: fields({
      message_type: oneOf('direct'),
      sender: fields({ user_id: int }),
      recipients: list(fields({ user_id: int })),
    }),
  },
  {
    does: 'somebody comes online, legacy form',
    act: by('moderator', 'POST', '/users/me/presence', { status: 'active', new_user_input: true }),
    name: 'presence',
    event: fields({ user_id: int, server_timestamp: number, presence: mapOf(clientPresence) }),
  },
  {
    does: 'status',
    act: by('member2', 'POST', '/users/me/status', { status_text: 'out', emoji_name: 'zulip' }),
    name: 'user_status',
    event: both(fields({ user_id: int }), mobile.userStatus),
  },
  {
    does: 'joined a channel on another device',
    act: subscribe('member', 'elsewhere'),
    name: 'subscription add',
    event: fields({ subscriptions: list(mobile.subscription) }),
  },
  {
    does: 'somebody joins a channel',
    act: subscribe('member2', 'design', 'admin'),
    name: 'subscription peer_add',
    event: peers,
  },
  {
    does: 'somebody leaves a channel',
    act: by('admin', 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] }),
    name: 'subscription peer_remove',
    event: peers,
  },
  {
    does: 'channel muted on another device',
    act: by('member', 'POST', '/users/me/subscriptions/properties', ({ channelId }) => ({
      subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
    })),
    name: 'subscription update',
    event: fields({ stream_id: int, property: str, value: any }),
  },
  {
    does: 'left a channel on another device',
    act: by('member', 'DELETE', '/users/me/subscriptions', { subscriptions: ['elsewhere'] }),
    name: 'subscription remove',
    event: fields({ subscriptions: list(fields({ stream_id: int, name: str })) }),
  },
  {
    does: 'new channel',
    act: subscribe('member2', 'brand new'),
    name: 'stream create',
    event: fields({ streams: list(mobile.channel) }),
  },
  {
    does: 'channel archived',
    act: by('owner', 'DELETE', ({ otherChannelId }) => `/streams/${otherChannelId}`),
    name: 'stream delete',
    event: fields({ stream_ids: list(int) }),
  },
  {
    does: 'topic followed on another device',
    act: by('member', 'POST', '/user_topics', ({ channelId }) => ({
      stream_id: channelId,
      topic: 'release',
      visibility_policy: 3,
    })),
    name: 'user_topic',
    event: mobile.userTopic,
  },
  {
    does: 'alert words changed on another device',
    act: by('member', 'POST', '/users/me/alert_words', { alert_words: ['coffee'] }),
    name: 'alert_words',
    event: fields({ alert_words: list(str) }),
  },
  {
    does: 'somebody muted on another device',
    act: by('member', 'POST', ({ userIds }) => `/users/me/muted_users/${userIds.moderator}`),
    name: 'muted_users',
    event: fields({ muted_users: list(mobile.mutedUser) }),
  },
  {
    does: 'setting changed on another device',
    act: by('member', 'PATCH', '/settings', { twenty_four_hour_time: true }),
    name: 'user_settings update',
    event: fields({ property: str, value: any }),
  },
  {
    does: 'new account',
    act: by('owner', 'POST', '/users', {
      email: 'new@parley.example',
      password: 'correct horse',
      full_name: 'Nora New',
    }),
    name: 'realm_user add',
    event: fields({ person: mobile.user }),
  },
  {
    does: 'name changed',
    act: by('owner', 'PATCH', ({ userIds }) => `/users/${userIds.guest}`, { full_name: 'Gus' }),
    name: 'realm_user update',
    event: fields({ person: fields({ user_id: int, full_name: str }) }),
  },
  {
    does: 'account deactivated',
    act: by('owner', 'DELETE', ({ userIds }) => `/users/${userIds.guest}`),
    name: 'realm_user update',
    event: fields({ person: fields({ user_id: int, is_active: bool }) }),
  },
]
