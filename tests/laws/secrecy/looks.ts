import { readFileSync } from 'node:fs'
import type { Ground } from './secrets.ts'
import { WORDS } from './secrets.ts'
import { apart, type Method, type Values } from './twins.ts'

/** A request of an observer: method, path, parameters. */
export type Look = readonly [Method, unknown, Values?]

const ALL = { anchor: 'newest', num_before: 1000, num_after: 0 }
const narrow = (operator: string, operand: unknown): Look => [
  'GET',
  '/messages',
  { ...ALL, narrow: [{ operator, operand }] },
]
const everything = {
  include_subscribers: true,
  client_gravatar: false,
  slim_presence: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    empty_topic_name: true,
    archived_channels: true,
  },
}

const { paths } = JSON.parse(readFileSync(new URL('../../../generated/wire.json', import.meta.url), 'utf8'))

/** Everything that accounts can read without naming it, except pictures. */
const LISTS = Object.keys(paths).flatMap((path) =>
  /\{|icon|logo/.test(path) || !paths[path].get || paths[path].get.security ? [] : [path.replace('/api/v1', '')],
)

/** Guests may not use all_public_streams. */
export const registrationOf = (observer: string): Values => ({
  ...everything,
  ...(observer !== 'guest' && { all_public_streams: true }),
})

/** Every way to ask for hidden things, and for the lists in which they could be. */
export function looksAt({ channelIds, messageIds, files, twins, openId, count }: Ground): Look[] {
  const people = ['keeper', 'friend', 'other', 'shy'].map((one) => twins.idOf(one))
  return [
    ...lists(openId),
    ...people.flatMap(aboutPerson),
    ...range(channelIds).flatMap((id) => aboutChannel(id, people)),
    ...range([openId + 1, ...messageIds]).flatMap(aboutMessage),
    ...files.flatMap(([one, other]) => aboutFile(one, other)),
    ...WORDS.flatMap((one) => aboutWord(one, count)),
    ...[1, 2, 3].flatMap(aboutThing),
  ]
}

/** From the first to the last, and the next one, since requests may also be about missing things. */
function range(ids: readonly number[]): number[] {
  const [least, most] = [Math.min(...ids), Math.max(...ids) + 1]
  return ids.length === 0 ? [] : Array.from({ length: most - least + 1 }, (_, index) => least + index)
}

function lists(openId: number): Look[] {
  return [
    ['POST', '/register', everything],
    ...LISTS.map((path): Look => ['GET', path]),
    ['GET', '/users', { include_custom_profile_fields: true, client_gravatar: false }],
    ['GET', '/streams', { include_all: true }],
    ['GET', '/streams', { exclude_archived: false }],
    ['GET', '/users/me/subscriptions', { include_subscribers: true }],
    ['GET', '/messages', ALL],
    ['GET', `/messages/${openId}/read_receipts`],
    ['GET', `/messages/${openId}`],
    narrow('has', 'attachment'),
    narrow('is', 'starred'),
    narrow('channels', 'public'),
  ]
}

function aboutPerson(id: number): Look[] {
  return [
    ['GET', `/users/${id}`, { include_custom_profile_fields: true }],
    ['GET', `/users/${id}/presence`],
    ['GET', `/users/${id}/status`],
    ['GET', `/users/${id}/channels`],
    ['PATCH', `/users/${id}`, { role: 400, full_name: 'Somebody' }],
    narrow('sender', id),
    narrow('dm', [id]),
    narrow('dm-including', id),
  ]
}

function aboutChannel(id: number, people: readonly number[]): Look[] {
  const setting = { property: 'color', value: '#ff0000' }
  return [
    ['GET', `/streams/${id}`],
    ['GET', `/streams/${id}/members`],
    ['GET', `/users/me/${id}/topics`],
    ...people.map((person): Look => ['GET', `/users/${person}/subscriptions/${id}`]),
    ['PATCH', `/users/me/subscriptions/${id}`, setting],
    ['POST', '/users/me/subscriptions/properties', { subscription_data: [{ stream_id: id, ...setting }] }],
    ['POST', '/user_topics', { stream_id: id, topic: 'here', visibility_policy: 1 }],
    ['PATCH', '/users/me/subscriptions/muted_topics', { stream_id: id, topic: 'here', op: 'add' }],
    ['POST', '/mark_stream_as_read', { stream_id: id }],
    ['POST', '/mark_topic_as_read', { stream_id: id, topic_name: 'here' }],
    ['POST', '/typing', { type: 'stream', op: 'start', stream_id: id, topic: 'here' }],
    ['POST', '/messages', { type: 'stream', to: id, topic: 'here', content: 'Who is there?' }],
    [
      'POST',
      '/scheduled_messages',
      { type: 'stream', to: id, topic: `${WORDS[0]} matters`, content: 'x', scheduled_delivery_timestamp: 2e9 },
    ],
    ['POST', '/drafts', { drafts: [{ type: 'stream', to: [id], topic: 'x', content: 'x' }] }],
    ['POST', '/messages/render', { content: `#**${id}**` }],
    ['PATCH', `/streams/${id}`, { description: 'Mine.' }],
    ['DELETE', `/streams/${id}`],
    ['POST', `/streams/${id}/delete_topic`, { topic_name: 'here' }],
    ['POST', '/invites', { invitee_emails: 'keeper@parley.example', stream_ids: [id] }],
    ['POST', '/default_streams', { stream_id: id }],
    narrow('channel', id),
  ]
}

function aboutMessage(id: number): Look[] {
  return [
    ['GET', `/messages/${id}`],
    ['GET', `/messages/${id}/history`],
    ['GET', `/messages/${id}/read_receipts`],
    ['POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' }],
    ['DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
    ['PATCH', `/messages/${id}`, { content: 'Mine.' }],
    ['PATCH', `/messages/${id}`, { topic: 'elsewhere' }],
    ['DELETE', `/messages/${id}`],
    ['POST', `/messages/${id}/report`, { report_type: 'spam' }],
    ['POST', `/messages/${id}/typing`, { op: 'start' }],
    [
      'POST',
      '/submessage',
      { message_id: id, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' },
    ],
    ['POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }],
    ['POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: 2_000_000_000 }],
    ['GET', '/messages/matches_narrow', { msg_ids: [id], narrow: [{ operator: 'has', operand: 'link' }] }],
    ['GET', '/messages', { message_ids: [id] }],
    ['GET', '/messages', { anchor: id, num_before: 2, num_after: 2 }],
    narrow('id', id),
    narrow('with', id),
  ]
}

/** By the file's path in each twin, whose key is random. */
function aboutFile(one: string, other: string): Look[] {
  const link = (path: string): string => `[x](${path.replace(/[^/]+$/, 'x.txt')})`
  return [
    ['GET', apart(one.replace('/api/v1', ''), other.replace('/api/v1', ''))],
    ['POST', '/messages', { type: 'direct', to: [1], content: apart(link(one), link(other)) }],
  ]
}

function aboutWord(one: string, count: number): Look[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const names = numbers.map((number) => `${one} plans ${number}`)
  const addresses = numbers.flatMap((number) => [
    `${one}-${number}@parley.example`,
    `${one}-newcomer-${number}@parley.example`,
  ])
  return [
    narrow('search', one),
    narrow('search', `"${one} is said"`),
    narrow('topic', `${one} matters`),
    ...names.flatMap((name): Look[] => [
      ['GET', '/get_stream_id', { stream: name }],
      ['POST', '/messages', { type: 'stream', to: name, topic: 'x', content: 'x' }],
      ['POST', '/messages/render', { content: `#**${name}** #**${name}>here**` }],
      ['DELETE', '/users/me/subscriptions', { subscriptions: [name] }],
      narrow('channel', name),
    ]),
    ...addresses.flatMap((address): Look[] => [
      ['GET', `/users/${address}`],
      ['GET', `/users/${address}/presence`],
      ['POST', '/messages', { type: 'direct', to: [address], content: 'x' }],
      ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'sandbox' }], principals: [address] }],
      ['POST', '/fetch_api_key', { username: address, password: 'a wrong one' }],
      narrow('dm', address),
      narrow('sender', address),
    ]),
  ]
}

/** Users' own items are numbered from 1 on, for all users together. */
function aboutThing(id: number): Look[] {
  return [
    ['PATCH', `/drafts/${id}`, { draft: { type: '', to: [], topic: '', content: 'Mine.' } }],
    ['DELETE', `/drafts/${id}`],
    ['PATCH', `/saved_snippets/${id}`, { title: 'Mine.' }],
    ['DELETE', `/saved_snippets/${id}`],
    ['PATCH', `/scheduled_messages/${id}`, { content: 'Mine.' }],
    ['DELETE', `/scheduled_messages/${id}`],
    ['DELETE', `/reminders/${id}`],
    ['DELETE', `/attachments/${id}`],
    ['DELETE', `/invites/${id}`],
    ['POST', `/invites/${id}/resend`],
  ]
}
