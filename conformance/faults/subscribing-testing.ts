import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { changedJson, misanswered, misread, renamed, without } from './misreadings-testing.ts'

const subscribe = ['POST', '/users/me/subscriptions'] as const
const streams = ['GET', '/streams'] as const
const many = ['POST', '/users/me/subscriptions/properties'] as const
const needsUsers = { needsUsers: true }

/** Texts among the principals are passed over, and with them all that there was. */
function withoutAddresses(parameters: URLSearchParams): void {
  const text = parameters.get('principals')
  if (text?.includes('@')) parameters.delete('principals')
}

/** One setting of a list is kept under another name. */
function keptAs(from: string, to: string): (parameters: URLSearchParams) => void {
  return changedJson('subscription_data', (changes: Json[]) =>
    changes.map((one) => (one.property === from ? { ...one, property: to } : one)),
  )
}

/** Parameters of operations on channels and subscriptions that are passed over, or taken for others. */
export const faults: readonly SeededFault[] = [
  ...(
    [
      ['private channels made public', without('invite_only')],
      ['history for those who come later passed over', without('history_public_to_subscribers')],
      ['topics policy passed over', without('topics_policy')],
      ['who may join kept as who may post', renamed('can_subscribe_group', 'can_send_message_group')],
      ['who may resolve topics passed over', without('can_resolve_topics_group')],
      ['messages told of though nobody wants them', without('send_new_subscription_messages')],
    ] as const
  ).map(([name, change]) => misread('subscribe/making', name, subscribe, change, needsUsers)),
  misanswered('subscribe/making', 'channels described by whoever came last', describedByTheLast(), true),
  misread(
    'subscribe/retention',
    'days of retention passed over',
    subscribe,
    (parameters) => {
      if (parameters.get('message_retention_days') === '30') parameters.set('message_retention_days', 'unlimited')
    },
    needsUsers,
  ),
  misread(
    'subscribe/retention',
    'realm_default taken for a number',
    subscribe,
    (parameters) => {
      if (parameters.get('message_retention_days') === 'realm_default') parameters.set('message_retention_days', '365')
    },
    needsUsers,
  ),
  misread('subscribe/default', 'no default channels', subscribe, without('is_default_stream'), needsUsers),
  misread('subscribe/default', 'include_default passed over', streams, without('include_default'), needsUsers),
  misread('subscribe/history', 'history kept from those who come later', subscribe, (parameters) => {
    parameters.delete('history_public_to_subscribers')
  }),
  misread('subscribe/principals', 'addresses of people passed over', subscribe, withoutAddresses, needsUsers),
  misread(
    'subscribe/principals',
    'IDs of people passed over',
    ['DELETE', subscribe[1]],
    without('principals'),
    needsUsers,
  ),
  misread(
    'subscribe/unauthorized',
    'authorization_errors_fatal passed over',
    subscribe,
    without('authorization_errors_fatal'),
  ),
  misread('subscribe/unauthorized', 'errors of authorization never fatal', subscribe, (parameters) => {
    parameters.set('authorization_errors_fatal', 'false')
  }),
  misread(
    'update-subscriptions/lists',
    'colours passed over',
    ['PATCH', subscribe[1]],
    changedJson('add', (list: Json[]) => list.map(({ color: _, ...one }) => one)),
  ),
  misread(
    'update-subscriptions/lists',
    'descriptions passed over',
    ['PATCH', subscribe[1]],
    changedJson('add', (list: Json[]) => list.map(({ description: _, ...one }) => one)),
  ),
  misanswered(
    'update-subscriptions/lists',
    'what was followed already is not told',
    ofSuccess('PATCH', subscribe[1], (body) => {
      body.already_subscribed = {}
    }),
  ),
  misread(
    'update-subscription-settings/each',
    'in_home_view taken for is_muted',
    many,
    keptAs('in_home_view', 'is_muted'),
  ),
  misread(
    'update-subscription-settings/each',
    'push notifications kept as audible ones',
    many,
    keptAs('push_notifications', 'audible_notifications'),
  ),
  misread(
    'update-subscription-settings/each',
    'wildcard mentions kept as a pin',
    many,
    keptAs('wildcard_mentions_notify', 'pin_to_top'),
  ),
  misread('get-streams', 'followed channels listed if nothing else is wanted', streams, without('include_subscribed')),
  misread('get-streams', 'archived channels never listed', streams, without('exclude_archived'), needsUsers),
  misread('get-streams', 'include_all passed over', streams, without('include_all')),
  misread('get-streams', 'include_can_access_content passed over', streams, without('include_can_access_content')),
  misanswered(
    'get-streams',
    'public channels left out though they are followed',
    (answer, { method, path, parameters }) => {
      if (method !== 'GET' || path !== '/streams' || answer.status !== 200) return
      if (parameters.get('include_public') !== 'false' || parameters.has('include_all')) return
      answer.body.streams = answer.body.streams.filter((one: Json) => one.invite_only)
    },
  ),
  misread(
    'mute-topic',
    'topics muted by ID of the channel only',
    ['PATCH', '/users/me/subscriptions/muted_topics'],
    (parameters) => {
      if (parameters.has('stream')) parameters.set('op', 'remove')
    },
  ),
  misanswered(
    'mute-topic',
    'times of topics in milliseconds',
    ofSuccess('POST', '/register', ({ user_topics: topics = [] }) => {
      for (const topic of topics) topic.last_updated *= 1000
    }),
  ),
]

function describedByTheLast(): SeededFault['fault'] {
  const described = new Map<string, string>()
  return (answer, { method, path, parameters }) => {
    if (path !== subscribe[1] || answer.status !== 200) return
    for (const { name, description } of JSON.parse(parameters.get('subscriptions') ?? '[]'))
      described.set(name, description)
    if (method !== 'GET') return
    for (const channel of answer.body.subscriptions)
      channel.description = described.get(channel.name) ?? channel.description
  }
}
