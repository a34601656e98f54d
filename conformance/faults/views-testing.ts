import type { Fault, SeededFault } from '../testing.ts'
import { isObject, type Json } from '../wire/values.ts'
import { ofSuccess } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'

function differing(name: string, fault: Fault): SeededFault {
  return { name: `${name} (views)`, only: 'tour/all', violates: ['CONTRACT-VIEWS'], needsUsers: true, fault }
}

const get = (path: string | RegExp, change: (body: Json, parameters: URLSearchParams) => void): Fault =>
  ofSuccess('GET', path, (body, { parameters }) => change(body, parameters))
/** Where everything is asked for: what a client has asked for at the beginning is held against events besides. */
const registered = (change: (body: Json) => void): Fault =>
  ofSuccess('POST', '/register', (body) => {
    if (body.realm_name !== undefined) change(body)
  })
const single = /^\/messages\/\d+$/
const oneUser = /^\/users\/(?!me$)[^/]+$/

/** Every object in every answer, whatever is in it. */
function everywhere(change: (one: Json) => void): Fault {
  const walk = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(walk)
    else if (isObject(value)) {
      change(value)
      Object.values(value).forEach(walk)
    }
  }
  return ({ body }, { path }) => {
    if (path !== '/events') walk(body)
  }
}

/** What a thing was called when it was first seen stays for ever. */
function remembered(idField: string, field: string): (one: Json) => void {
  const first = new Map<unknown, unknown>()
  return (one) => {
    if (!first.has(one[idField])) first.set(one[idField], one[field])
    one[field] = first.get(one[idField])
  }
}

const oldSenders = remembered('sender_id', 'sender_full_name')
const oldNames = remembered('user_id', 'full_name')
const oldNamesBelow = remembered('id', 'full_name')

/** Muted topics as they were at first, in the old list. */
function mutedForEver(): Fault {
  const first = new Map<string, Json>()
  return ({ body }, { path, authorization }) => {
    if (path !== '/register' || body?.muted_topics === undefined) return
    if (!first.has(authorization)) first.set(authorization, body.muted_topics)
    body.muted_topics = first.get(authorization)
  }
}

export const faults: readonly SeededFault[] = [
  differing(
    'channels without descriptions in the list',
    get('/streams', ({ streams }) => {
      for (const channel of streams) channel.description = ''
    }),
  ),
  differing(
    'a channel too few listed',
    get('/streams', ({ streams }) => {
      streams.pop()
    }),
  ),
  differing(
    'a subscriber too many counted everywhere',
    everywhere((one) => {
      if (Number.isInteger(one.subscriber_count)) one.subscriber_count += 1
    }),
  ),
  differing(
    'the newest subscriber missing among the members',
    get(/^\/streams\/\d+\/members$/, (body) => {
      body.subscribers.pop()
    }),
  ),
  differing(
    'everybody follows everything',
    get(/\/subscriptions\/\d+$/, (body) => {
      body.is_subscribed = true
    }),
  ),
  differing(
    'channels that were left among those never followed',
    registered((body) => {
      body.never_subscribed?.push(...(body.unsubscribed?.splice(0) ?? []))
    }),
  ),
  differing(
    'channels that were never followed in two lists',
    registered((body) => {
      body.unsubscribed?.push(...(body.never_subscribed ?? []))
    }),
  ),
  differing(
    'a channel too few of one’s own',
    get(/^\/users\/\d+\/channels$/, (body) => {
      body.subscribed_channel_ids.pop()
    }),
  ),
  differing(
    'personal settings forgotten in the list of subscriptions',
    get('/users/me/subscriptions', (body) => {
      for (const one of body.subscriptions) Object.assign(one, { is_muted: false, in_home_view: true })
    }),
  ),
  differing(
    'a first message that is not there any more',
    everywhere((one) => {
      if (Number.isInteger(one.first_message_id)) one.first_message_id -= 1
    }),
  ),
  differing(
    'users called by a former name when asked for alone',
    get(oneUser, ({ user }) => oldNames(user)),
  ),
  differing(
    'another time zone of the caller',
    get('/users/me', (body) => {
      body.timezone = 'Europe/Zagreb'
    }),
  ),
  differing(
    'deactivated users that are active in the list',
    get('/users', ({ members }) => {
      for (const user of members) user.is_active = true
    }),
  ),
  differing(
    'deactivated users among the others at registration',
    registered((body) => {
      body.realm_users?.push(...(body.realm_non_active_users?.splice(0) ?? []))
    }),
  ),
  differing(
    'a user too few of those asked for',
    get('/users', ({ members }, parameters) => {
      if (parameters.has('user_ids')) members.pop()
    }),
  ),
  differing(
    'senders called by a former name',
    get('/messages', ({ messages }) => messages.forEach(oldSenders)),
  ),
  differing(
    'recipients called by a former name',
    get('/messages', ({ messages }) => {
      for (const { display_recipient: people } of messages) if (Array.isArray(people)) people.forEach(oldNamesBelow)
    }),
  ),
  differing(
    'reactions of single messages in another order',
    get(single, ({ message }) => {
      message.reactions.reverse()
    }),
  ),
  differing(
    'reactions without their code where Markdown is asked for',
    get('/messages', ({ messages }, parameters) => {
      if (parameters.get('apply_markdown') !== 'false') return
      for (const { reactions } of messages) for (const one of reactions) one.emoji_code = one.emoji_name
    }),
  ),
  differing(
    'raw content without its end',
    get(single, (body) => {
      body.raw_content = body.raw_content.slice(0, -1)
    }),
  ),
  differing(
    '/me everywhere',
    everywhere((one) => {
      if ('is_me_message' in one) one.is_me_message = true
    }),
  ),
  differing(
    'edits without a time in single messages',
    get(single, ({ message }) => {
      if (message.last_edit_timestamp) message.last_edit_timestamp += 60
    }),
  ),
  differing(
    'history without its newest entry',
    get(/\/history$/, (body) => {
      if (body.message_history.length > 1) body.message_history.pop()
    }),
  ),
  differing(
    'messages told with the time of their telling',
    ofEventList((events) => {
      for (const { message } of events) if (message) (message as Json).timestamp += 60
      return [...events]
    }),
  ),
  differing(
    'topics with the oldest first',
    get(/^\/users\/me\/\d+\/topics$/, ({ topics }) => {
      topics.reverse()
    }),
  ),
  differing(
    'topics with the id of another message',
    get(/^\/users\/me\/\d+\/topics$/, ({ topics }) => {
      for (const topic of topics.slice(0, 1)) topic.max_id -= 1
    }),
  ),
  differing(
    'receipts of everybody',
    get(/\/read_receipts$/, (body) => {
      body.user_ids = Array.from({ length: 1000 }, (_, index) => index + 1)
    }),
  ),
  differing(
    'receipts of nobody',
    get(/\/read_receipts$/, (body) => {
      body.user_ids = []
    }),
  ),
  differing(
    'mentions that are not counted',
    registered((body) => {
      if (body.unread_msgs) body.unread_msgs.mentions = []
    }),
  ),
  differing(
    'unread messages by the dozen',
    registered((body) => {
      if (body.unread_msgs) body.unread_msgs.count += 12
    }),
  ),
  differing(
    'alert words without the last',
    get('/users/me/alert_words', ({ alert_words: words }) => {
      words.pop()
    }),
  ),
  differing(
    'another status when asked for alone',
    get(/^\/users\/\d+\/status$/, (body) => {
      body.status = { ...body.status, status_text: 'busy' }
    }),
  ),
  differing('topics that stay muted in the old list', mutedForEver()),
]
