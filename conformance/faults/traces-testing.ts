import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse } from './changes-testing.ts'
import { keeping } from './effects-testing.ts'
import { ofEvent, ofEventList, ofEvents } from './events-testing.ts'
import { mistaken, of, unknown } from './message-misreadings-testing.ts'

const _sending = ['POST', '/messages'] as const
const _listing = ['GET', '/messages'] as const
const history = ['GET', /^\/messages\/\d+\/history$/] as const
const settings = ['PATCH', '/settings'] as const
const _addresses = 'send-message/addresses'
const _emptyTopic = 'send-message/empty-topic'

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
  of('delete-message/traces', 'messages that stay readable for whoever has read them', keeping(message)),
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

/** Whoever does something is not told of it, and everybody else is. */
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

/** What servers do that are right but for what a request leaves behind, or what others are told of it. */
export const faults: readonly SeededFault[] = [...traced, ...noticed]
