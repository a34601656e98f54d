import type { Call, EventStep } from './client.ts'
import { any, bool, fields, int, list, oneOf, str } from './shape.ts'
import { message, subscription } from './terminal-shapes.ts'

const byMember2 = (call: Omit<Call, 'as'>): Call => ({ as: 'member2', ...call })

const flagEvent = fields({ op: oneOf('add', 'remove'), flag: str, messages: list(int), all: bool })

/** Actions while the terminal client runs, and the keys that it indexes in the events. */
export const events: readonly EventStep[] = [
  {
    does: 'message in a channel, flags beside it',
    acts: [
      byMember2({
        method: 'POST',
        path: '/messages',
        parameters: { type: 'stream', to: 'design', topic: 'plans', content: '@**Max Member** :octopus:' },
      }),
    ],
    type: 'message',
    event: fields({ message, flags: list(str) }),
  },
  {
    does: 'direct message',
    acts: [
      byMember2({
        method: 'POST',
        path: '/messages',
        parameters: ({ userIds }) => ({ type: 'private', to: [userIds.member], content: 'psst' }),
      }),
    ],
    type: 'message',
    event: fields({ message, flags: list(str) }),
  },
  {
    does: 'somebody types',
    acts: [
      byMember2({
        method: 'POST',
        path: '/typing',
        parameters: ({ userIds }) => ({ op: 'start', to: [userIds.member] }),
      }),
    ],
    type: 'typing',
    op: 'start',
    event: fields({ sender: fields({ email: str, user_id: int }) }),
  },
  {
    does: 'reaction',
    acts: [
      byMember2({
        method: 'POST',
        path: ({ channelMessageId }) => `/messages/${channelMessageId}/reactions`,
        parameters: { emoji_name: 'tada' },
      }),
    ],
    type: 'reaction',
    op: 'add',
    event: fields({ message_id: int, user_id: int, emoji_name: str, emoji_code: str, reaction_type: str }),
  },
  {
    does: 'content edited',
    acts: [
      byMember2({
        method: 'PATCH',
        path: ({ channelMessageId }) => `/messages/${channelMessageId}`,
        parameters: { content: 'Lunch at **one**!' },
      }),
    ],
    type: 'update_message',
    event: fields({
      message_id: int,
      message_ids: list(int),
      stream_id: int,
      rendered_content: str,
      is_me_message: bool,
    }),
  },
  {
    does: 'read on another device',
    acts: [
      {
        method: 'POST',
        path: '/messages/flags',
        parameters: ({ channelMessageId }) => ({ messages: [channelMessageId], op: 'add', flag: 'read' }),
      },
    ],
    type: 'update_message_flags',
    op: 'add',
    event: flagEvent,
  },
  {
    does: 'subscribed on another device',
    acts: [
      {
        method: 'POST',
        path: '/users/me/subscriptions',
        parameters: ({ otherChannel }) => ({ subscriptions: [{ name: otherChannel }] }),
      },
    ],
    type: 'subscription',
    op: 'add',
    event: fields({ subscriptions: list(subscription) }),
  },
  {
    does: 'somebody joins a channel',
    acts: [
      byMember2({
        method: 'POST',
        path: '/users/me/subscriptions',
        parameters: ({ channel, userIds }) => ({ subscriptions: [{ name: channel }], principals: [userIds.admin] }),
      }),
    ],
    type: 'subscription',
    op: 'peer_add',
    event: fields({ stream_ids: list(int), user_ids: list(int) }),
  },
  {
    does: 'channel muted on another device',
    acts: [
      {
        method: 'POST',
        path: '/users/me/subscriptions/properties',
        parameters: ({ channelId }) => ({
          subscription_data: [{ stream_id: channelId, property: 'is_muted', value: false }],
        }),
      },
    ],
    type: 'subscription',
    op: 'update',
    event: fields({ stream_id: int, property: str, value: any }),
  },
  {
    does: 'setting changed',
    acts: [{ method: 'PATCH', path: '/settings', parameters: { twenty_four_hour_time: true } }],
    type: 'user_settings',
    op: 'update',
    event: fields({ property: str, value: any }),
  },
  {
    does: 'name changed',
    acts: [
      {
        as: 'owner',
        method: 'PATCH',
        path: ({ userIds }) => `/users/${userIds.guest}`,
        parameters: { full_name: 'Gus' },
      },
    ],
    type: 'realm_user',
    op: 'update',
    event: fields({ person: fields({ user_id: int, full_name: str }) }),
  },
]
