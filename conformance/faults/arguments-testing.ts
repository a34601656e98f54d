import type { Fault, PassingOn, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse } from './changes-testing.ts'
import { ofEvent, ofEventList, ofEvents } from './events-testing.ts'

/** Of everything of a person, or their settings: given people take part in several runs at once. */
const ofPersons = [
  ...['send-message/visibility', 'get-messages/first-unread', 'update-message-flags', 'mark-all-as-read/event'],
  ...['get-read-receipts/people', 'register-queue/unread-count', 'set-typing-status/unwanted'],
  ...['delete-message/traces', 'delete-message/places', 'get-attachments/room'],
]

function of(only: string, name: string, fault: Fault): SeededFault {
  const needsUsers = ofPersons.includes(only)
  return {
    ...{ name: `${name} (argument)`, only: `effects/${only}`, violates: ['CONTRACT-EFFECT'] },
    ...{ needsUsers, fault },
  }
}

/** A server that takes other parameters of an operation than it was sent. */
function mistaken(
  only: string,
  name: string,
  [method, path]: readonly [method: string, path: string | RegExp],
  change: (parameters: URLSearchParams) => void,
): SeededFault {
  const before = (request: PassingOn): void => {
    const asked = request.url.pathname.replace('/api/v1', '')
    const isMeant = request.method === method && (typeof path === 'string' ? asked === path : path.test(asked))
    if (isMeant) change(method === 'GET' ? request.url.searchParams : request.form)
  }
  return { ...of(only, name, () => {}), before }
}

/** A server that does not know a parameter. */
function unknown(only: string, parameter: string, operation: readonly [string, string | RegExp]): SeededFault {
  return mistaken(only, `${parameter} not understood in ${operation[1]}`, operation, (all) => all.delete(parameter))
}

const sending = ['POST', '/messages'] as const
const listing = ['GET', '/messages'] as const
const history = ['GET', /^\/messages\/\d+\/history$/] as const
const settings = ['PATCH', '/settings'] as const
const addresses = 'send-message/addresses'
const emptyTopic = 'send-message/empty-topic'
const noMessage = 2_147_483_646

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
    'messages that are none are not named',
    ofSuccess('POST', '/messages/flags', (body) => {
      body.messages = body.messages.filter((id: number) => id !== noMessage)
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
  of('get-read-receipts/people', 'who was listed once stays listed', sticky()),
  of('get-read-receipts/people', 'who was left out once stays out', forgetful()),
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

const message = /^\/messages\/\d+$/
const edits = 'update-message/flags'

const traced: readonly SeededFault[] = [
  of(
    edits,
    'who edits loses their star',
    ofSuccess('GET', message, ({ message: one }) => {
      if (one.last_edit_timestamp !== undefined) one.flags = one.flags.filter((flag: string) => flag !== 'starred')
    }),
  ),
  of(
    edits,
    'edits mention nobody in their events',
    ofEvent('update_message', (event) => {
      event.flags = event.flags.filter((flag: string) => flag !== 'mentioned')
    }),
  ),
  of(
    edits,
    'edits take no mention back',
    ofSuccess('GET', message, ({ message: one }) => {
      if (one.edit_history?.some((entry: Json) => entry.prev_content.includes('@'))) one.flags.push('mentioned')
    }),
  ),
  of(
    edits,
    'a message stays what it was about its sender',
    ofSuccess('GET', message, ({ message: one }) => {
      one.is_me_message = true
    }),
  ),
  of(
    edits,
    'events of messages that are about nobody',
    ofEvent('update_message', (event) => {
      event.is_me_message = false
    }),
  ),
  mistaken(edits, 'a topic beside the content is another topic', ['PATCH', message], (all) => {
    if (all.has('topic')) all.set('topic', 'another topic')
  }),
  of(
    'update-message/direct',
    'edits of direct messages in silence',
    ofEventList((events) => events.filter(({ type, stream_id: id }) => type !== 'update_message' || id !== undefined)),
  ),
  of(
    'update-message/direct',
    'edits of direct messages in a channel',
    ofEvent('update_message', (event) => {
      event.stream_id ??= 1
    }),
  ),
  of(
    edits,
    'raw_content is what was sent first',
    ofSuccess('GET', message, (body) => {
      const first = body.message.edit_history?.at(-1)
      if (first !== undefined) body.raw_content = first.prev_content
    }),
  ),
  of('delete-message/traces', 'the newest message of a topic stays', staleTopics()),
  of('delete-message/traces', 'the first message of a channel stays', staleFirst()),
  of(
    'delete-message/traces',
    'lists of deleted messages for everybody',
    ofEvent('delete_message', (event) => {
      event.message_ids ??= [event.message_id]
      delete event.message_id
    }),
  ),
  of(
    'delete-message/places',
    'deleted direct messages from a channel',
    ofEvent('delete_message', (event) => {
      event.stream_id ??= 1
    }),
  ),
  of(
    'reactions/places',
    'reactions taken back without their kind',
    ofEvent('reaction', (event) => {
      if (event.op === 'remove') event.reaction_type = 'realm_emoji'
    }),
  ),
  of(
    'get-message-history',
    'versions in which nothing is marked',
    ofSuccess(...history, ({ message_history: all }) => {
      for (const one of all) one.content_html_diff &&= one.rendered_content
    }),
  ),
  of(
    'remove-reaction/forms',
    'lists with the newest reaction first',
    ofSuccess('GET', '/messages', ({ messages }) => {
      for (const one of messages) one.reactions.reverse()
    }),
  ),
  of('delete-message/traces', 'who deletes is not told', unheard('DELETE', message, 'delete_message')),
  of(
    'delete-message/traces',
    'deletions from no topic',
    ofEvent('delete_message', (event) => {
      event.topic = ''
    }),
  ),
  of('delete-message/traces', 'stars of what is deleted', staleStars()),
  mistaken('remove-reaction/forms', 'codes without names not understood', ['DELETE', /\/reactions$/], (all) => {
    if (!all.has('emoji_name')) all.delete('emoji_code')
  }),
  mistaken('remove-reaction/forms', 'codes without types are of other emoji', ['DELETE', /\/reactions$/], (all) => {
    if (!all.has('reaction_type')) all.set('reaction_type', 'realm_emoji')
  }),
]

function staleTopics(): Fault {
  const newest = new Map<string, number>()
  return ofSuccess('GET', /^\/users\/me\/\d+\/topics$/, ({ topics }, { path }) => {
    for (const topic of topics) {
      const key = `${path} ${topic.name}`
      topic.max_id = Math.max(topic.max_id, newest.get(key) ?? 0)
      newest.set(key, topic.max_id)
    }
  })
}

function staleFirst(): Fault {
  const first = new Map<string, number>()
  return (answer, request) => {
    const channels: Json[] = [answer.body?.stream ?? []].flat()
    for (const channel of request.method === 'GET' ? channels : []) {
      const key = String(channel.stream_id)
      channel.first_message_id = first.get(key) ?? channel.first_message_id
      if (channel.first_message_id !== null) first.set(key, channel.first_message_id)
    }
  }
}

function staleStars(): Fault {
  const starred = new Map<string, Set<number>>()
  return ofSuccess('POST', '/register', (body, { authorization }) => {
    if (body.starred_messages === undefined) return
    const all = new Set([...(starred.get(authorization) ?? []), ...body.starred_messages])
    starred.set(authorization, all)
    body.starred_messages = [...all]
  })
}

/** Who does something is not told of it, and everybody else is. */
function unheard(method: string, path: RegExp, type: string): Fault {
  const own = new Set<string>()
  const hear = ofEvents(({ body }, { authorization }) => {
    if (own.has(authorization)) body.events = body.events.filter((event: Json) => event.type !== type)
  })
  return (answer, request) => {
    if (request.method === method && path.test(request.path)) own.add(request.authorization)
    hear(answer, request)
  }
}

const typing = ['POST', '/typing'] as const

const noticed: readonly SeededFault[] = [
  of('set-typing-status/forms', 'typing without a type refused', (answer, { path, parameters }) => {
    if (path === '/typing' && !parameters.has('type')) refuse(answer)
  }),
  mistaken('set-typing-status/forms', 'channels have their old name only', typing, (all) => {
    if (all.get('type') === 'channel') all.set('type', 'strait')
  }),
  mistaken('set-typing-status/forms', 'only the first of several is typed to', typing, (all) => {
    const to = all.get('to')
    if (to !== null) all.set('to', JSON.stringify(JSON.parse(to).slice(0, 1)))
  }),
  of(
    'set-typing-status/empty-topic',
    'the empty topic has its display name for everybody',
    ofEvent('typing', (event) => {
      if (event.topic === '') event.topic = 'general chat'
    }),
  ),
  mistaken('set-typing-status/empty-topic', 'the display name is a topic', typing, (all) => {
    if (all.get('topic') === 'general chat') all.set('topic', 'general chats')
  }),
  unknown('set-typing-status/unwanted', 'receives_typing_notifications', settings),
  of(
    'set-typing-status-for-edit/places',
    'conversations without whoever edits',
    ofEvent('typing_edit_message', ({ recipient, sender_id: editor }) => {
      recipient.user_ids = recipient.user_ids?.filter((id: number) => id !== editor)
    }),
  ),
  of(
    'set-typing-status-for-edit/places',
    'edits in no topic',
    ofEvent('typing_edit_message', ({ recipient }) => {
      if (recipient.type === 'channel') recipient.topic = ''
    }),
  ),
  of('add-submessage/people', 'who votes is not told', unheard('POST', /^\/submessage$/, 'submessage')),
  of(
    'add-submessage/people',
    'votes without their own ID',
    ofEvent('submessage', (event) => {
      event.submessage_id = 1
    }),
  ),
  of(
    'upload-file/events',
    'messages get files in silence',
    ofEventList((events) => events.filter(({ type, op }) => type !== 'attachment' || op !== 'update')),
  ),
  of(
    'upload-file/events',
    'files go in silence',
    ofEventList((events) => events.filter(({ type, op }) => type !== 'attachment' || op !== 'remove')),
  ),
  of(
    'get-attachments/room',
    'only one’s own files take room',
    ofSuccess('GET', '/attachments', (body) => {
      body.upload_space_used = body.attachments.reduce((sum: number, { size }: Json) => sum + size, 0)
    }),
  ),
  of('get-attachments/room', 'deleted files go on taking room', fullRoom()),
  of('get-uploaded-file/range', 'parts of files from the first byte', (answer, { method, path }) => {
    if (method === 'GET' && path.startsWith('/user_uploads/') && answer.status === 206) answer.body = 'abc'
  }),
]

function fullRoom(): Fault {
  let used = 0
  return ofSuccess('GET', '/attachments', (body) => {
    used = Math.max(used, body.upload_space_used)
    body.upload_space_used = used
  })
}

/** What servers do that are right but for one parameter, form, default or side effect. */
export const argumentFaults: readonly SeededFault[] = [...sent, ...listed, ...marked, ...traced, ...noticed]
