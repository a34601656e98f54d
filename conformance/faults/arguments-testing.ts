import { idOfNothing } from '../provocations/provocation.ts'
import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { mistaken, of, unknown } from './message-misreadings-testing.ts'

const sending = ['POST', '/messages'] as const
const listing = ['GET', '/messages'] as const
const history = ['GET', /^\/messages\/\d+\/history$/] as const
const settings = ['PATCH', '/settings'] as const
const addresses = 'send-message/addresses'
const emptyTopic = 'send-message/empty-topic'

const sent: readonly SeededFault[] = [
  unknown(addresses, 'subject', sending),
  mistaken(addresses, 'only the first of several addresses counts', sending, (all) => {
    const [first = '', ...others] = (all.get('to') ?? '').split(',')
    if (others.length > 0 && !first.startsWith('[')) all.set('to', first)
  }),
  mistaken(addresses, 'only the first address of a list counts', sending, (all) => {
    const to = all.get('to') ?? ''
    if (to.startsWith('["') && all.get('type') !== 'stream') all.set('to', JSON.stringify(JSON.parse(to).slice(0, 1)))
  }),
  mistaken(addresses, 'channels have no names in lists', sending, (all) => {
    if (all.get('to')?.startsWith('["') && all.get('type') === 'stream') all.set('to', '[]')
  }),
  mistaken(addresses, 'channels have no names', sending, (all) => {
    if (all.get('type') === 'stream' && !/^[\d[]/.test(all.get('to') ?? '')) all.delete('to')
  }),
  unknown('send-message/read_by_sender', 'read_by_sender', sending),
  of(
    'send-message/visibility',
    'nobody is told that a topic is followed',
    ofSuccess(...sending, (body) => {
      delete body.automatic_new_visibility_policy
    }),
  ),
  of(
    'send-message/visibility',
    'every message follows its topic',
    ofSuccess(...sending, (body) => {
      body.automatic_new_visibility_policy = 3
    }),
  ),
  mistaken(emptyTopic, 'no topic is a topic', sending, (all) => {
    if (all.get('topic') === '(no topic)') all.set('topic', 'no topic')
  }),
  ...[listing, history, ['GET', /^\/users\/me\/\d+\/topics$/] as const].map((operation) =>
    unknown(emptyTopic, 'allow_empty_topic_name', operation),
  ),
  mistaken(emptyTopic, 'no display name in narrows of lists', listing, (all) => {
    const narrow = all.get('narrow')
    if (narrow !== null) all.set('narrow', narrow.replace('general chat', 'general chats'))
  }),
  mistaken(emptyTopic, 'topics without a name are not marked as read', ['POST', '/mark_topic_as_read'], (all) => {
    if (all.get('topic_name') === '') all.set('topic_name', 'named')
  }),
]

const listed: readonly SeededFault[] = [
  mistaken('get-messages/first-unread', 'use_first_unread_anchor passed over', listing, (all) => {
    if (!all.has('use_first_unread_anchor')) return
    all.delete('use_first_unread_anchor')
    if (!all.has('anchor')) all.set('anchor', 'newest')
  }),
  mistaken('get-messages/first-unread', 'the anchor counts more than use_first_unread_anchor', listing, (all) => {
    if (all.has('anchor')) all.delete('use_first_unread_anchor')
  }),
  mistaken('get-messages/date', 'every date is before all messages', listing, (all) => {
    if (all.get('anchor') === 'date') all.set('anchor', 'oldest')
    all.delete('anchor_date')
  }),
  mistaken('get-messages/date', 'every date is after all messages', listing, (all) => {
    if (all.get('anchor') === 'date') all.set('anchor', 'newest')
    all.delete('anchor_date')
  }),
  mistaken('get-messages/below', 'what is below all IDs is above all', listing, (all) => {
    if (Number(all.get('anchor')) < 0) all.set('anchor', 'newest')
  }),
  of(
    'get-messages/below',
    'an anchor that no message can have is told as it came',
    ofSuccess(...listing, (body, { parameters }) => {
      if (Number(parameters.get('anchor')) < 0) body.anchor = Number(parameters.get('anchor'))
    }),
  ),
  of(
    'get-stream-topics/case',
    'topics with case',
    ofSuccess('GET', /^\/users\/me\/\d+\/topics$/, ({ topics }) => {
      const [newest] = topics
      topics.push({ ...newest, name: newest.name.toLowerCase() })
    }),
  ),
  ...['apply_markdown', 'include_anchor', 'client_gravatar'].map((parameter) =>
    mistaken('get-messages/defaults', `${parameter} is false unless it is true`, listing, (all) => {
      if (!all.has(parameter)) all.set(parameter, 'false')
    }),
  ),
]

const marked: readonly SeededFault[] = [
  of(
    'update-message-flags/hidden',
    'messages that do not exist are not named',
    ofSuccess('POST', '/messages/flags', (body) => {
      body.messages = body.messages.filter((id: number) => id !== idOfNothing)
    }),
  ),
  of(
    'update-message-flags/not-subscribed',
    'channels passed over in silence',
    ofSuccess('POST', /\/messages\/flags$/, (body) => {
      delete body.ignored_because_not_subscribed_channels
    }),
  ),
  of(
    'update-message-flags/not-subscribed',
    'channels passed over in silence in narrows',
    ofSuccess('POST', '/flags/narrow', (body) => {
      delete body.ignored_because_not_subscribed_channels
    }),
  ),
  of(
    'update-message-flags',
    'what is collapsed is read',
    ofSuccess('GET', '/messages', ({ messages }) => {
      for (const { flags } of messages) if (flags.includes('collapsed') && !flags.includes('read')) flags.push('read')
    }),
  ),
  of(
    'mark-all-as-read/event',
    'everything is read in silence',
    ofEventList((events) => events.filter(({ op, messages }) => op !== 'add' || messages.length < 3)),
  ),
  of(
    'mark-all-as-read/event',
    'a channel is read in silence',
    ofEventList((events) => events.filter(({ op, messages }) => op !== 'add' || messages.length !== 2)),
  ),
  unknown('get-read-receipts/people', 'send_read_receipts', settings),
  of('get-read-receipts/people', 'whoever was listed once stays listed', sticky()),
  of('get-read-receipts/people', 'whoever was left out once stays out', forgetful()),
  of(
    'register-queue/unread-count',
    'muted messages counted',
    ofSuccess('POST', '/register', ({ unread_msgs: unread }) => {
      if (unread === undefined) return
      const all: Json[] = [...unread.streams, ...unread.pms, ...unread.huddles]
      unread.count = all.reduce((sum, { unread_message_ids: ids }) => sum + ids.length, 0)
    }),
  ),
]

/** Receipts that only grow. */
function sticky(): Fault {
  const all = new Map<string, Set<number>>()
  return ofSuccess('GET', /\/read_receipts$/, (body, { path }) => {
    const ids = new Set([...(all.get(path) ?? []), ...body.user_ids])
    all.set(path, ids)
    body.user_ids = [...ids]
  })
}

/** Receipts that only shrink, from the first on. */
function forgetful(): Fault {
  const all = new Map<string, readonly number[]>()
  return ofSuccess('GET', /\/read_receipts$/, (body, { path }) => {
    const before = all.get(path) ?? body.user_ids
    body.user_ids = body.user_ids.filter((id: number) => before.includes(id))
    all.set(path, body.user_ids)
  })
}

/** What servers do that are right but for one parameter, form or default of sending, listing and flags. */
export const faults: readonly SeededFault[] = [...sent, ...listed, ...marked]
