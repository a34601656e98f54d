import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'

const path = /^\/streams\/\d+\/delete_topic$/
const [small, batches] = ['topic-deletion/small', 'topic-deletion/batches']

/** A server that answers deletions of topics wrongly. */
function answered(name: string, violates: readonly string[], change: (body: Json) => void): SeededFault {
  return { name, only: small, violates, fault: ofSuccess('POST', path, change) }
}

/** One that understands them wrongly. */
function taken(name: string, violates: readonly string[], change: (form: URLSearchParams) => void): SeededFault {
  return {
    ...{ name, only: small, violates, fault: () => {} },
    before: (request) => {
      if (request.url.pathname.endsWith('/delete_topic')) change(request.form)
    },
  }
}

/** One that tells of them wrongly. */
function told(name: string, violates: readonly string[], change: (events: Json[]) => Json[]): SeededFault {
  const fault = ofSuccess('GET', '/events', (body) => {
    body.events = change(body.events)
  })
  return { name, only: batches, violates, fault }
}

const each = (change: (event: Json) => void) => (events: Json[]) => {
  for (const event of events) if (event.type === 'delete_message') change(event)
  return events
}

const refusals =
  (change: (answer: Parameters<Fault>[0]) => void, isMeant: (body: Json) => boolean): Fault =>
  (answer, request) => {
    if (path.test(request.path) && answer.status === 400 && isMeant(answer.body)) change(answer)
  }

export const faults: readonly SeededFault[] = [
  {
    name: 'no deletions of topics',
    only: small,
    violates: ['DEL-TOPIC-1'],
    fault: (answer, request) => {
      if (path.test(request.path)) refuse(answer)
    },
  },
  {
    name: 'deletions without a topic',
    only: small,
    violates: ['DEL-TOPIC-2'],
    fault: refusals(
      (answer) => succeed(answer, { complete: true }),
      ({ code }) => code === 'REQUEST_VARIABLE_MISSING',
    ),
  },
  {
    name: 'deletions in a channel of no name',
    only: small,
    violates: ['DEL-TOPIC-11'],
    fault: refusals(
      (answer) => refuse(answer),
      ({ msg }) => msg === 'Invalid channel ID',
    ),
  },
  {
    name: 'deletions that others are refused otherwise',
    only: small,
    violates: ['DEL-TOPIC-8'],
    fault: refusals(
      (answer) => refuse(answer),
      ({ code }) => code === 'UNAUTHORIZED_PRINCIPAL',
    ),
  },
  answered('deletions complete in words', ['DEL-TOPIC-3'], (body) => {
    body.complete = 'yes'
  }),
  answered('deletions of old', ['LEVEL-211', 'DEL-TOPIC-3'], (body) => {
    delete body.complete
    body.result = 'partially_completed'
  }),
  answered('deletions that never end', ['STATE-DEL-4', 'DEL-TOPIC-12'], (body) => {
    body.complete = false
  }),
  taken('deletions of another topic', ['STATE-DEL-4', 'EMPTY-4'], (form) => {
    form.set('topic_name', 'something else')
  }),
  {
    name: 'deletions of all topics',
    only: small,
    violates: ['DEL-TOPIC-10'],
    fault: ofSuccess('GET', /^\/users\/me\/\d+\/topics$/, (body) => {
      body.topics = body.topics.filter(({ name }: Json) => !name.startsWith('kept'))
    }),
  },
  told('no new first message', ['DEL-TOPIC-9'], (events) => events.filter(({ type }) => type !== 'stream')),
  told('the oldest messages first', ['DEL-TOPIC-7'], (events) => {
    const deletions = events.filter(({ type }) => type === 'delete_message')
    const lists = deletions.map(({ message_ids }) => message_ids).reverse()
    for (const [at, event] of deletions.entries()) if (event.message_ids) event.message_ids = lists[at]
    return events
  }),
  told(
    'deletions in other places',
    ['EV-OTHER-11'],
    each((event) => {
      event.topic = 'elsewhere'
    }),
  ),
  told(
    'deletions in descending order',
    ['EV-OTHER-11'],
    each((event) => {
      event.message_ids?.reverse()
    }),
  ),
  told('deletions all together', ['LIMIT-22'], (events) => {
    const [first, ...others] = events.filter(({ message_ids: list }) => Array.isArray(list))
    if (!first) return events
    for (const other of others) first.message_ids.unshift(...other.message_ids)
    return events.filter((one) => !others.includes(one))
  }),
]
