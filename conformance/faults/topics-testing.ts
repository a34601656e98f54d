import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { everyChannelSeen } from './subscription-settings-testing.ts'

const path = /^\/users\/me\/\d+\/topics$/

/** A server that lists topics wrongly. */
function listed(
  what: string,
  only: string,
  violates: readonly string[],
  change: (topics: Json[]) => Json,
): SeededFault {
  const fault = ofSuccess('GET', path, (body) => {
    body.topics = change(body.topics)
  })
  return { name: `${what} (${only})`, only, violates, fault }
}

function isTopics(request: Parameters<Fault>[1]): boolean {
  return request.method === 'GET' && path.test(request.path)
}

const hidden = { name: 'before', max_id: 1 }
const each =
  (change: (topic: Json) => Json) =>
  (topics: Json[]): Json[] =>
    topics.map((topic) => ({ ...topic, ...change(topic) }))

export const faults: readonly SeededFault[] = [
  {
    name: 'topics refused',
    only: 'topics/list',
    violates: ['TOPICS-1'],
    fault(answer, request) {
      if (isTopics(request)) refuse(answer)
    },
  },
  listed('topics of another channel', 'topics/list', ['TOPICS-1'], (topics) => [
    ...topics,
    { name: 'elsewhere', max_id: 1 },
  ]),
  listed('no list', 'topics/list', ['TOPICS-4'], (topics) =>
    Object.fromEntries(topics.map(({ name, max_id }) => [name, max_id])),
  ),
  listed('names only', 'topics/list', ['TOPICS-4'], (topics) => topics.map(({ name }) => name)),
  listed('a topic twice', 'topics/list', ['TOPIC-ENTRY-1'], (topics) => [...topics, topics[0]]),
  listed(
    'topics under numbers',
    'topics/list',
    ['TOPIC-ENTRY-1'],
    each(({ max_id }) => ({ name: max_id })),
  ),
  listed(
    'max_id as text',
    'topics/list',
    ['TOPIC-ENTRY-2'],
    each(({ max_id }) => ({ max_id: String(max_id) })),
  ),
  listed('oldest topic first', 'topics/list', ['TOPICS-11'], (topics) => topics.toReversed()),
  listed(
    'empty topic never named',
    'topics/empty',
    ['TOPICS-2'],
    each(() => ({ name: '' })),
  ),
  listed(
    'empty topic always named',
    'topics/empty',
    ['TOPICS-3'],
    each(() => ({ name: 'general chat' })),
  ),
  {
    name: 'no topics in place of a refusal',
    only: 'topics/refused',
    violates: ['TOPICS-8', 'TOPICS-9', 'TOPICS-12'],
    fault(answer, request) {
      if (!isTopics(request)) return
      succeed(answer)
      answer.body.topics = []
    },
  },
  {
    name: 'ID 0 called too small',
    only: 'topics/refused',
    violates: ['TOPICS-12'],
    fault(answer, { path }) {
      if (path === '/users/me/0/topics') answer.body.msg = 'stream_id is too small'
    },
  },
  listed('hidden topic', 'topics/protected', ['TOPICS-5', 'TOPICS-6'], (topics) => [...topics, hidden]),
  listed('topic that is not hidden left out', 'topics/protected', ['TOPICS-5', 'TOPICS-6'], (topics) =>
    topics.filter(({ name }) => name !== 'both'),
  ),
  listed('topic hidden from a bot', 'topics/protected-bot', ['TOPICS-7'], (topics) => [...topics, hidden]),
  listed('archived channel without topics', 'topics/archived', ['TOPICS-10'], () => []),
  {
    name: 'channel that only its creator administers',
    only: 'topics/archived',
    violates: ['SUB-FIELD-45'],
    fault(answer, request) {
      if (request.method === 'DELETE' && /^\/streams\/\d+$/.test(request.path)) refuse(answer)
    },
  },
  {
    name: 'channel whose subscribers only its creator removes',
    only: 'channels/unsubscribe-others',
    violates: ['SUB-FIELD-46'],
    fault(answer, { method, parameters }) {
      if (method === 'DELETE' && parameters.has('principals')) refuse(answer)
    },
  },
  {
    name: 'unsubscribing that changes nothing',
    only: 'channels/unsubscribe-others',
    violates: ['SUB-FIELD-46'],
    fault: everyChannelSeen(),
  },
  {
    name: 'muted channel in the combined feed',
    only: 'channels/muted',
    violates: ['SUB-FIELD-24'],
    fault(answer, { method, path: asked, parameters }) {
      if (method !== 'GET' || asked !== '/messages' || answer.body?.result !== 'success') return
      answer.body.messages = [{ id: Number(parameters.get('anchor')) }]
    },
  },
  {
    name: 'combined feed always empty',
    only: 'channels/muted',
    violates: ['SUB-FIELD-24'],
    fault: ofSuccess('GET', /^\/messages$/, (body) => {
      body.messages = []
    }),
  },
]
