import type { PassingRequest, SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEvents } from './events-testing.ts'

const matches = (change: (body: Json, request: PassingRequest) => void) => ofSuccess('GET', '/matches_narrow', change)

/** Answers in which each match is like this. */
function match(name: string, only: string, violates: string, change: (one: Json) => void): SeededFault {
  return { name, only, violates: [violates], fault: matches(({ messages }) => Object.values(messages).forEach(change)) }
}

const narrowFaults: readonly SeededFault[] = [
  {
    name: 'matches in a list',
    only: 'narrows/match',
    violates: ['NARROW-4'],
    fault: matches((body) => {
      body.messages = Object.values(body.messages)
    }),
  },
  {
    name: 'nothing matches',
    only: 'narrows/match',
    violates: ['NARROW-5'],
    fault: matches((body) => {
      body.messages = {}
    }),
  },
  {
    name: 'everything matches',
    only: 'narrows/match',
    violates: ['NARROW-6', 'NARROW-11'],
    fault: matches((body, { parameters }) => {
      for (const id of JSON.parse(parameters.get('msg_ids') ?? '[]')) body.messages[id] ??= {}
    }),
  },
  match('text for the HTML of a match', 'narrows/match', 'NARROW-7', (one) => {
    one.match_content = one.match_content.replaceAll(/<[^>]*>/g, '')
  }),
  match('topic of a match not escaped', 'narrows/match', 'NARROW-9', (one) => {
    one.match_subject = one.match_subject.replaceAll('&lt;', '<')
  }),
  {
    name: 'pairs not understood',
    only: 'narrows/match',
    violates: ['NARROW-14'],
    fault: matches((body, { parameters }) => {
      if (parameters.get('narrow')?.startsWith('[["')) body.messages = {}
    }),
  },
  {
    name: 'number for a list accepted',
    only: 'narrows/match',
    violates: ['NARROW-15'],
    fault(answer) {
      if (answer.status === 400) succeed(answer, { messages: {} })
    },
  },
  {
    name: 'one term enough',
    only: 'narrows/terms',
    violates: ['NARROW-6', 'NARROW-13'],
    fault: matches((body, { parameters }) => {
      const ids = JSON.parse(parameters.get('msg_ids') ?? '[]')
      if (JSON.parse(parameters.get('narrow') ?? '[]').length > 1)
        body.messages[ids[0]] ??= body.messages[ids[1]] ??= {}
    }),
  },
  {
    name: 'negated term for the term',
    only: 'narrows/terms',
    violates: ['NARROW-5', 'NARROW-13'],
    fault: matches((body, { parameters }) => {
      if (parameters.get('narrow')?.includes('negated')) body.messages = {}
    }),
  },
  match('find in the content not marked', 'narrows/search', 'NARROW-8', (one) => {
    one.match_content = one.match_content.replaceAll(/<\/?span[^>]*>/g, '')
  }),
  match('find in the topic not marked', 'narrows/search', 'NARROW-10', (one) => {
    one.match_subject = one.match_subject.replaceAll(/<\/?span[^>]*>/g, '')
  }),
  {
    name: 'every narrow accepted',
    only: 'narrows/refused',
    violates: ['NARROW-1', 'NARROW-2', 'NARROW-3', 'NARROW-12'],
    fault(answer) {
      if (answer.status === 400) succeed(answer, { messages: {} })
    },
  },
  {
    name: 'number beyond every ID refused for its size alone',
    only: 'narrows/refused',
    violates: ['NARROW-12'],
    fault(answer, { parameters }) {
      if (parameters.get('narrow')?.includes('00000000000000000000')) refuse(answer)
    },
  },
  {
    name: 'display name of the empty topic taken for a topic',
    only: 'narrows/empty-topic',
    violates: ['EMPTY-6'],
    fault: matches((body, { parameters }) => {
      if (!parameters.get('narrow')?.includes('"operand":""')) body.messages = {}
    }),
  },
]

const marking = 'reading/topic'
const markTopic = '/mark_topic_as_read'
const unread = ofMessage((message) => {
  message.flags = message.flags.filter((flag: string) => flag !== 'read')
})

const readingFaults: readonly SeededFault[] = [
  { name: 'marking as read without effect', only: marking, violates: ['READ-3'], fault: unread },
  { name: 'other topics marked as read', only: marking, violates: ['READ-4'], fault: allReadOnceMarked() },
  {
    name: 'marking answered with more',
    only: marking,
    violates: ['READ-5'],
    fault: ofSuccess('POST', markTopic, (body) => {
      body.complete = true
    }),
  },
  {
    name: 'marking not served any more',
    only: marking,
    violates: ['READ-6'],
    fault(answer, { path }) {
      if (path === markTopic) refuse(answer, 'BAD_REQUEST')
    },
  },
  { name: 'display name that marks nothing', only: 'reading/empty-topic', violates: ['EMPTY-5'], fault: unread },
  {
    name: 'display name that marks everything',
    only: 'reading/empty-topic',
    violates: ['EMPTY-5'],
    fault: allReadOnceMarked(),
  },
  {
    name: 'every marking accepted',
    only: 'reading/refused',
    violates: ['READ-1', 'READ-2', 'READ-7'],
    fault(answer, { path }) {
      if (path === markTopic) succeed(answer)
    },
  },
  {
    name: 'marking of messages as unread told',
    only: 'reading/event',
    violates: ['READ-8'],
    fault: ofEvents(({ body }) => {
      for (const event of body.events) event.op = 'remove'
    }),
  },
]

function allReadOnceMarked(): SeededFault['fault'] {
  let isMarked = false
  const read = ofMessage((message) => {
    if (isMarked) message.flags.push('read')
  })
  return (answer, request) => {
    isMarked ||= request.path === markTopic
    read(answer, request)
  }
}

export const faults: readonly SeededFault[] = [...narrowFaults, ...readingFaults]
