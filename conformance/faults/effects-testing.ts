import type { Fault, PassingAnswer, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'

export { of as effectFault }

function of(operation: string, name: string, fault: Fault, needsUsers = false): SeededFault {
  return { name: `${name} (effect)`, only: `effects/${operation}`, violates: ['CONTRACT-EFFECT'], needsUsers, fault }
}

function ofList(path: string | RegExp, change: (body: Json) => void): Fault {
  return ofSuccess('GET', path, change)
}

/** Own accounts with the newest message that they had when they were first asked for. */
function newestOfFirstTime(): Fault {
  const first = new Map<string, unknown>()
  return (answer, { method, path, authorization }) => {
    if (method !== 'GET' || path !== '/users/me' || answer.status !== 200) return
    first.set(authorization, first.get(authorization) ?? answer.body.max_message_id)
    answer.body.max_message_id = first.get(authorization)
  }
}

/** What whoever asks got before, even where it is gone. */
export function keeping(wanted: RegExp): Fault {
  const read = new Map<string, PassingAnswer>()
  return (answer, { method, path, authorization }) => {
    if (method !== 'GET' || !wanted.test(path)) return
    const key = `${authorization} ${path}`
    const kept = read.get(key)
    if (answer.status === 200) read.set(key, { ...answer })
    else if (kept !== undefined) Object.assign(answer, { status: kept.status, body: kept.body })
  }
}

const withoutLast = (list: unknown[]): unknown[] => list.slice(0, -1)

export const faults: readonly SeededFault[] = [
  of(
    'render-message',
    'texts rendered with another tag for bold',
    ofSuccess('POST', '/messages/render', (body) => {
      body.rendered = body.rendered.replaceAll('strong>', 'b>')
    }),
  ),
  of(
    'render-message',
    'mentions rendered as plain text',
    ofSuccess('POST', '/messages/render', (body) => {
      body.rendered = body.rendered.replaceAll(/<span class="user-mention[^>]*>([^<]*)<\/span>/g, '$1')
    }),
  ),
  of(
    'get-all-presence',
    'the older presences by ID',
    ofList('/realm/presence', (body) => {
      body.presences = Object.fromEntries(Object.values(body.presences).map((entry, index) => [index + 1, entry]))
    }),
  ),
  of('get-own-user/newest', 'the newest message of the first time', newestOfFirstTime()),
  of(
    'get-message-history',
    'history without its last entry',
    ofList(/\/history$/, (body) => {
      body.message_history = withoutLast(body.message_history)
    }),
  ),
  of(
    'get-message-history',
    'history with the newest first',
    ofList(/\/history$/, (body) => {
      body.message_history.reverse()
    }),
  ),
  of(
    'get-read-receipts',
    'receipts with nobody',
    ofList(/\/read_receipts$/, (body) => {
      body.user_ids = []
    }),
  ),
  of(
    'update-message-flags-for-narrow',
    'counts of changed messages that are those of processed ones',
    ofSuccess('POST', '/messages/flags/narrow', (body) => {
      body.updated_count = body.processed_count
    }),
  ),
  of(
    'mark-all-as-read',
    'one message that stays unread',
    ofList('/messages', (body) => {
      for (const { flags } of body.messages.slice(0, 1))
        flags.splice(0, 1, ...flags.filter((one: string) => one !== 'read'))
    }),
    true,
  ),
  of(
    'set-typing-status',
    'typing told as the opposite',
    ofEventList((events) =>
      events.map((event) =>
        event.type === 'typing' ? { ...event, op: event.op === 'start' ? 'stop' : 'start' } : event,
      ),
    ),
  ),
  of('get-streams', 'public channels among those without public ones', (answer, { method, path, parameters }) => {
    if (
      method === 'GET' &&
      path === '/streams' &&
      parameters.get('include_public') === 'false' &&
      answer.status === 200
    )
      answer.body.streams.push({ stream_id: 1, name: 'general' }, { stream_id: 1, name: 'general' })
  }),
  of('get-stream-id', 'hidden channels by their names', (answer, { path }) => {
    if (path === '/get_stream_id' && answer.status === 400) succeed(answer, { stream_id: 1 })
  }),
  of(
    'get-subscribers',
    'a subscriber too few',
    ofList(/\/members$/, (body) => {
      body.subscribers = withoutLast(body.subscribers)
    }),
  ),
  of('get-stream-email-address', 'addresses of everything', (answer, { path }) => {
    if (path.endsWith('/email_address') && answer.status === 400) succeed(answer, { email: '' })
  }),
  of(
    'get-stream-email-address',
    'no address',
    ofList(/\/email_address$/, (body) => {
      body.email = null
    }),
  ),
  of(
    'get-subscription-status',
    'everybody follows everything',
    ofList(/\/users\/\d+\/subscriptions\/\d+$/, (body) => {
      body.is_subscribed = true
    }),
  ),
  of(
    'update-user-topic',
    'topics unmuted that were followed',
    ofSuccess('POST', '/register', ({ user_topics: topics = [] }) => {
      for (const topic of topics) if (topic.visibility_policy === 3) topic.visibility_policy = 2
    }),
  ),
  of(
    'get-user-status',
    'one status for all',
    ofList(/\/users\/\d+\/status$/, (body) => {
      body.status = { status_text: 'busy' }
    }),
  ),
  of(
    'add-alert-words',
    'words twice',
    ofList('/users/me/alert_words', (body) => {
      body.alert_words.push(...body.alert_words)
    }),
  ),
  of('update-bot-storage', 'storage that gives all keys', (answer, { method, path }) => {
    if (method === 'GET' && path === '/bot_storage' && answer.status === 200) answer.body.storage = {}
  }),
  of('get-uploaded-file/withdrawn', 'files that stay readable for whoever has read them', keeping(/^\/user_uploads\//)),
  of('get-uploaded-file', 'files for anybody', (answer, { method, path }) => {
    if (method === 'GET' && path.startsWith('/user_uploads/') && answer.status >= 400) succeed(answer, { url: '/none' })
  }),
  of(
    'get-attachments',
    'files that no message ever has',
    ofList('/attachments', (body) => {
      for (const file of body.attachments) file.message_ids = []
    }),
  ),
  of(
    'unsubscribe',
    'what was left is listed as not left',
    ofSuccess('DELETE', '/users/me/subscriptions', (body) => {
      const { removed, not_removed } = body
      Object.assign(body, { removed: not_removed, not_removed: removed })
    }),
  ),
  of(
    'send-message',
    'local names for channel messages only',
    ofEventList((events) =>
      events.map(({ local_message_id: local, ...event }) =>
        event.message?.type === 'stream' && local !== undefined ? { ...event, local_message_id: local } : event,
      ),
    ),
  ),
  of(
    'update-message-flags/details',
    'unread direct messages with their reader',
    ofEventList((events) =>
      events.map((event) => {
        for (const details of Object.values<Json>(event.message_details ?? {})) details.user_ids?.push(1)
        return event
      }),
    ),
  ),
  of(
    'delete-message/places',
    'deletions told in channels only',
    ofEventList((events) =>
      events.filter(({ type, message_type }) => type !== 'delete_message' || message_type === 'stream'),
    ),
    true,
  ),
  of(
    'get-users/user_ids',
    'users by id without the deactivated',
    (answer, { method, path, parameters }) => {
      if (method !== 'GET' || path !== '/users' || !parameters.has('user_ids') || answer.status !== 200) return
      answer.body.members = answer.body.members.filter((user: Json) => user.is_active)
    },
    true,
  ),
  of(
    'add-submessage',
    'votes in the name of somebody else',
    ofEventList((events) =>
      events.map((event) => (event.type === 'submessage' ? { ...event, sender_id: event.sender_id + 1 } : event)),
    ),
  ),
  of(
    'subscribe',
    'new subscribers by their addresses',
    ofSuccess('POST', '/users/me/subscriptions', (body) => {
      body.subscribed = Object.fromEntries(
        Object.entries(body.subscribed).map(([id, names]) => [`user${id}@example.com`, names]),
      )
    }),
    true,
  ),
  of(
    'unsubscribe/people',
    'the last of several leaves in silence',
    ofEventList((events) =>
      events.map((event) =>
        event.op === 'peer_remove' && event.user_ids.length > 1
          ? { ...event, user_ids: event.user_ids.slice(0, -1) }
          : event,
      ),
    ),
    true,
  ),
  of('upload-file', 'pages shown in place', (answer, { method, path }) => {
    if (method !== 'GET' || !path.includes('/user_uploads/')) return
    answer.headers.set('content-disposition', 'inline')
    answer.headers.set('content-type', 'text/html')
  }),
]
