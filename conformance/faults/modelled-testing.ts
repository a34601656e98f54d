import type { Fault, PassingRequest, SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'

function of(only: string, name: string, fault: Fault): SeededFault {
  return { name: `${name} (model)`, only: `modelled/${only}`, violates: ['CONTRACT-EFFECT'], fault }
}

type Change = (body: Json, request: PassingRequest) => void

const lists = (name: string, change: Change): SeededFault => of('lists', name, ofSuccess('GET', '/messages', change))
const matches = (name: string, change: Change): SeededFault =>
  of('matches', name, ofSuccess('GET', '/matches_narrow', change))
const flags = (name: string, change: Change): SeededFault =>
  of('flags', name, ofSuccess('POST', '/flags/narrow', change))

interface Asked {
  readonly operator: string
  readonly operand: Json
  readonly negated?: boolean
}

/** Terms, in either form. */
function termsOf(narrow: string): Asked[] {
  return JSON.parse(narrow).map((term: Json) => (Array.isArray(term) ? { operator: term[0], operand: term[1] } : term))
}

function termsIn({ parameters }: PassingRequest): Asked[] {
  return termsOf(parameters.get('narrow') ?? '[]')
}

function asks(request: PassingRequest, operator: string, operand?: Json): boolean {
  return termsIn(request).some((one) => one.operator === operator && (operand === undefined || one.operand === operand))
}

/** Finds nothing for such a term. */
function unknown(isMeant: (term: Asked, request: PassingRequest) => boolean): Change {
  return (body, request) => {
    if (termsIn(request).some((term) => isMeant(term, request))) body.messages = Array.isArray(body.messages) ? [] : {}
  }
}

export const faults: readonly SeededFault[] = [
  lists('oldest message not found from the newest', (body, { parameters }) => {
    if (parameters.get('anchor') === 'newest') body.found_oldest = false
  }),
  lists('newest message not found from itself', (body, { parameters }) => {
    if (parameters.get('anchor') === 'newest') body.found_newest = false
  }),
  lists('anchor not among the messages around it', (body) => {
    if (!body.found_anchor) return
    body.messages = body.messages.filter(({ id }: Json) => id !== body.anchor)
    body.found_anchor = false
  }),
  lists('messages as their IDs were listed', (body, { parameters }) => {
    const ids: number[] = JSON.parse(parameters.get('message_ids') ?? '[]')
    if (ids.length > 0) body.messages.sort((one: Json, other: Json) => ids.indexOf(one.id) - ids.indexOf(other.id))
  }),
  lists(
    'addresses unknown as senders',
    unknown(({ operator, operand }) => operator === 'sender' && typeof operand === 'string'),
  ),
  lists('topics with case', (body, request) => {
    const topic = termsIn(request).find(({ operator, negated }) => operator === 'topic' && !negated)?.operand
    if (topic !== undefined) body.messages = body.messages.filter((one: Json) => one.subject === topic)
  }),
  matches(
    'no negation at all',
    unknown(({ negated }) => negated === true),
  ),
  matches(
    'lists of people not understood',
    unknown(({ operand }) => Array.isArray(operand)),
  ),
  matches('what the last term says is left out', (body, request) => {
    const ids: number[] = JSON.parse(request.parameters.get('msg_ids') ?? '[]')
    if (asks(request, 'is', 'resolved')) for (const id of ids) body.messages[id] ??= {}
  }),
  flags('all that was looked at counted as changed', (body) => {
    body.updated_count = body.processed_count
  }),
  flags('IDs told of no message', (body) => {
    body.first_processed_id ??= 0
  }),
  flags('oldest message found with every range', (body) => {
    body.found_oldest = true
  }),
  of('flags', 'flags that stay as they are', staleFlags()),
  queues(
    'no topic in capitals',
    ({ operator, operand, negated }) => operator === 'topic' && operand === String(operand).toUpperCase() && !negated,
  ),
  queues('no direct messages', ({ operand, negated }) => operand === 'private' && !negated),
  queues('no negation', ({ negated }) => negated === true),
  of('queues', 'what a narrow keeps out', unnarrowed()),
  mistaken('lists', 'negation forgotten of what messages have', (terms) =>
    terms.map((one) => (one.operator === 'has' ? { ...one, negated: false } : one)),
  ),
  mistaken('lists', 'the last of several terms forgotten', (terms) => (terms.length > 1 ? terms.slice(0, -1) : terms)),
  mistaken('lists', 'conversations with somebody for the conversation', (terms) =>
    terms.map((one) =>
      ['dm', 'pm-with'].includes(one.operator) && one.operand.length === 1
        ? { ...one, operator: 'dm-including', operand: one.operand[0] }
        : one,
    ),
  ),
  mistaken('matches', 'a message for its conversation', (terms) =>
    terms.map((one) => (one.operator === 'with' ? { operator: 'id', operand: one.operand } : one)),
  ),
  mistaken('queues', 'topic forgotten', (terms) => terms.filter(({ operator }) => operator !== 'topic')),
  {
    ...of('lists', 'anchor among the messages though it is left out', () => {}),
    before: ({ url }) => url.searchParams.delete('include_anchor'),
  },
  {
    ...of('flags', 'one message more than asked for gets the flag', () => {}),
    before({ method, url, form }) {
      const [name, count] = ['num_after', Number(form.get('num_after'))]
      if (method === 'POST' && url.pathname.endsWith('/flags/narrow') && count > 0) form.set(name, String(count + 1))
    },
  },
]

/** A server that confuses one narrow with another. */
function mistaken(only: string, name: string, change: (terms: readonly Asked[]) => readonly Asked[]): SeededFault {
  return {
    ...of(only, `taken: ${name}`, () => {}),
    before({ url, form }) {
      for (const values of [url.searchParams, form]) {
        const text = values.get('narrow')
        if (text !== null) values.set('narrow', JSON.stringify(change(termsOf(text))))
      }
    },
  }
}

/** Event queues with such a term get nothing. */
function queues(name: string, isMeant: (term: Asked) => boolean): SeededFault {
  const meant = new Set<string>()
  return of('queues', `in queues ${name}`, ({ status, body }, request) => {
    if (status !== 200) return
    if (request.path === '/register' && termsIn(request).some(isMeant)) meant.add(body.queue_id)
    if (request.path !== '/events' || !meant.has(request.parameters.get('queue_id') ?? '')) return
    body.events = body.events.filter(({ type }: Json) => type !== 'message')
  })
}

/** A queue for starred messages gets another queue's event in place of a later one. */
function unnarrowed(): Fault {
  let seen: Json[] = []
  const starred = new Set<string>()
  return ({ status, body }, request) => {
    if (status !== 200) return
    if (request.path === '/register' && asks(request, 'is', 'starred')) starred.add(body.queue_id)
    if (request.method !== 'GET' || request.path !== '/events') return
    if (seen.length === 0) seen = body.events.filter(({ type }: Json) => type === 'message')
    const [first] = body.events
    if (!starred.has(request.parameters.get('queue_id') ?? '') || first === undefined) return
    body.events.unshift(...seen.map((event) => ({ ...event, id: first.id })))
  }
}

/** Lists keep showing the flags of the first request. */
function staleFlags(): Fault {
  const first = new Map<number, string[]>()
  return ({ status, body }, { method, path }) => {
    if (method !== 'GET' || path !== '/messages' || status !== 200) return
    for (const message of body.messages) {
      const before = first.get(message.id)
      if (before === undefined) first.set(message.id, message.flags)
      else message.flags = before
    }
  }
}
