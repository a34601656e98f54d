import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { ofEvent, ofEventList, ofEvents } from './events-testing.ts'
import { misanswered, misread, without } from './misreadings-testing.ts'

/** Tells nothing of what `isMeant`, once a request of this method and path has come. */
function untoldAfter(method: string, path: RegExp, isMeant: (event: Json) => boolean): Fault {
  let isOn = false
  const hear = ofEventList((events) => (isOn ? events.filter((event) => !isMeant(event)) : events))
  return (answer, request) => {
    if (request.method === method && path.test(request.path)) isOn = true
    hear(answer, request)
  }
}

const both = (op: string): Fault =>
  untoldAfter('PATCH', /^\/users\/me\/subscriptions$/, (event) => event.type === 'subscription' && event.op === op)
const bulk = (property: string): Fault =>
  untoldAfter('POST', /\/properties$/, (event) => event.op === 'update' && event.property === property)

/** Gathers, or sorts, the reactions of lists of messages. */
function reactionsOf(inOrder: (all: Json[]) => Json[]): Fault {
  return ofSuccess('GET', '/messages', ({ messages = [] }) => {
    for (const message of messages) message.reactions = inOrder(message.reactions)
  })
}

function gathered(all: Json[]): Json[] {
  return [...Map.groupBy(all, ({ emoji_code: code }) => code).values()].flat()
}

/** The second of two events of a channel has the ID of the first. */
const oneId = ofEventList((events) => {
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    if (event.op === 'update' && before?.op === 'update' && event.stream_id === before.stream_id) event.id = before.id
  }
  return events
})

/** Flags that a message does not have where it is told, or listed. */
function unflagged(isGone: (flag: string, flags: readonly string[]) => boolean): (message: Json) => void {
  return (message) => {
    const { flags } = message
    message.flags = flags.filter((flag: string) => !isGone(flag, flags))
  }
}

const ofTopicOnly = unflagged(
  (flag, flags) => flag === 'wildcard_mentioned' && !flags.includes('stream_wildcard_mentioned'),
)
const noAlerts = unflagged((flag) => flag === 'has_alert_word')
const onlyPeople = unflagged((flag, flags) => flag.includes('wildcard') && flags.includes('mentioned'))

function inLists(change: (message: Json) => void): Fault {
  return ofSuccess('GET', '/messages', ({ messages = [] }) => messages.forEach(change))
}

/** Bots and guests are left out of lists of subscribers. @param where the list stands */
function onlyMembers(path: string | RegExp, method = 'GET'): Fault {
  const known = new Set<number>()
  return (answer, { method: asked, path: here }) => {
    for (const one of answer.body?.members ?? []) if (one.is_bot || one.role === 600) known.add(one.user_id)
    const isMeant = typeof path === 'string' ? here === path : path.test(here)
    if (asked !== method || !isMeant) return
    const lists = [answer.body, ...(answer.body?.subscriptions ?? [])]
    for (const one of lists) one.subscribers = one.subscribers?.filter((id: number) => !known.has(id))
  }
}

/** Marks nothing that mentions the reader as read. */
function mentionsStayUnread(): Fault {
  let isOn = false
  return (answer, { method, path }) => {
    if (path === '/messages/flags') isOn = false
    if (method === 'POST' && path === '/mark_topic_as_read') isOn = true
    for (const one of isOn && path === '/messages' ? (answer.body?.messages ?? []) : []) {
      if (one.flags.includes('mentioned')) one.flags = one.flags.filter((flag: string) => flag !== 'read')
    }
  }
}

/** Takes a flag away in lists once a topic was marked as read. */
function lostFlag(lost: string): Fault {
  let isOn = false
  return (answer, { method, path }) => {
    if (method === 'POST' && path === '/mark_topic_as_read') isOn = true
    for (const one of isOn && path === '/messages' ? (answer.body?.messages ?? []) : []) {
      one.flags = one.flags.filter((flag: string) => flag !== lost)
    }
  }
}

/** Guests are told nothing of people. */
const guestsUntold = ofEvents(({ body }, { authorization }) => {
  const [email = ''] = Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
    .toString()
    .split(':')
  if (email.startsWith('guest')) body.events = body.events.filter(({ type }: Json) => type !== 'realm_user')
})

const user = ['PATCH', /^\/users\/\d+$/] as const
const needsUsers = { needsUsers: true }

/** What is lost of several things, or stands in another order. */
export const faults: readonly SeededFault[] = [
  ...['add', 'remove', 'peer_add', 'peer_remove'].map((op) =>
    misanswered('update-subscriptions/told', `no op ${op} where channels come and go at once`, both(op)),
  ),
  ...['is_muted', 'in_home_view', 'color', 'pin_to_top'].map((property) =>
    misanswered('update-subscription-settings/told', `${property} of several changes not told`, bulk(property)),
  ),
  misanswered('update-subscription-settings/told', 'two events with one ID', oneId),
  misread('update-user/several', 'no role beside a name', user, without('role'), needsUsers),
  misread('update-user/several', 'no name beside a role', user, without('full_name'), needsUsers),
  misread('update-user/several', 'no role by address', ['PATCH', /^\/users\/.*(@|%40)/], without('role'), needsUsers),
  misanswered('update-user/several', 'guests are not told of names', guestsUntold, true),
  ...['display', 'notifications'].map((name) =>
    misanswered(
      'update-settings/older',
      `nothing told of what /settings/${name} sets`,
      untoldAfter('PATCH', new RegExp(`/settings/${name}$`), ({ type }) => type === 'user_settings'),
      true,
    ),
  ),
  misanswered('add-reaction/order', 'reactions of lists gathered by emoji', reactionsOf(gathered)),
  misanswered(
    'add-reaction/order',
    'reactions of lists by account',
    reactionsOf((all) => all.toSorted((one, two) => one.user_id - two.user_id)),
  ),
  misanswered(
    'add-reaction/order',
    'reactions of lists newest first',
    reactionsOf((all) => all.toReversed()),
  ),
  misanswered('add-reaction/names', 'other names are other emoji', (answer, { method, path, parameters }) => {
    const isOther = parameters.get('emoji_name') === 'thumbs_up'
    if (method !== 'POST' || !path.endsWith('/reactions') || !isOther) return
    answer.status = 200
    answer.body = { result: 'success', msg: '' }
  }),
  misanswered('get-subscriptions/everybody', 'lists without bots and guests', onlyMembers('/users/me/subscriptions')),
  misanswered('get-subscriptions/everybody', 'members without bots and guests', onlyMembers(/\/members$/)),
  misanswered('get-subscriptions/everybody', 'state without bots and guests', onlyMembers('/register', 'POST')),
  misanswered('send-message/mentions', 'old flag of topics not told', ofEvent('message', ofTopicOnly), true),
  misanswered('send-message/mentions', 'alert words not told', ofEvent('message', noAlerts), true),
  misanswered('send-message/mentions', 'whoever is named is not everybody', ofEvent('message', onlyPeople), true),
  misanswered('send-message/mentions', 'old flag of topics not listed', inLists(ofTopicOnly), true),
  misanswered('send-message/mentions', 'alert words not listed', inLists(noAlerts), true),
  misread(
    'mark-topic-as-read/others',
    'one topic is all',
    ['POST', '/mark_topic_as_read'],
    (parameters) => {
      parameters.set('topic_name', `${parameters.get('topic_name')} and more`)
    },
    needsUsers,
  ),
  misanswered('mark-topic-as-read/others', 'mentions stay unread', mentionsStayUnread(), true),
  ...['starred', 'collapsed', 'mentioned'].map((flag) =>
    misanswered('mark-topic-as-read/others', `what is read is not ${flag}`, lostFlag(flag), true),
  ),
]
