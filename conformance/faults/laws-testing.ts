import type { Fault, PassingAnswer, PassingRequest, SeededFault } from '../testing.ts'
import { type Json, ofEvent, ofEventList, ofEvents, refuse } from './changes-testing.ts'

/** Has its own people, because other checks change settings of the given accounts. */
function state(name: string, fault: Fault, ...others: readonly string[]): SeededFault {
  const violates = others.length > 0 ? others : ['CONTRACT-STATE']
  return { name: `${name} (state)`, only: 'laws/state', violates, needsUsers: true, fault }
}

function delivery(name: string, fault: Fault): SeededFault {
  return { name: `${name} (delivery)`, only: 'laws/delivery', violates: ['CONTRACT-DELIVERY'], fault }
}

function audience(name: string, fault: Fault): SeededFault {
  return { name: `${name} (audience)`, only: 'laws/audience', violates: ['CONTRACT-AUDIENCE'], fault }
}

function tour(name: string, violates: string, fault: Fault): SeededFault {
  return { name: `${name} (tour)`, only: 'tour/all', violates: [violates], needsUsers: true, fault }
}

function lost(isLost: (event: Json, index: number, events: readonly Json[]) => boolean): Fault {
  return ofEventList((events) => events.filter((event, index) => !isLost(event, index, events)))
}

const lostOf = (type: string, op: string): Fault => lost((event) => event.type === type && event.op === op)

/** Loses each queue's first event that only the owner gets. */
function firstLost(): Fault {
  const types = ['user_settings', 'alert_words', 'muted_users', 'user_topic', 'subscription']
  const begun = new Set<string>()
  return ofEvents(({ body }) => {
    const index = body.events.findIndex(({ type }: Json) => types.includes(type))
    if (index < 0 || begun.has(body.queue_id)) return
    body.events.splice(index, 1)
    begun.add(body.queue_id)
  })
}

export const faults: readonly SeededFault[] = [
  state(
    'flags told to nobody',
    lost(({ type }) => type === 'update_message_flags'),
  ),
  state('first own event after registration lost', firstLost()),
  state(
    'former content of an edit told as the new one',
    ofEvent('update_message', (event) => {
      event.content = event.orig_content
      event.rendered_content = event.orig_rendered_content
    }),
    'CONTRACT-HISTORY',
  ),
  state(
    'reactions told to nobody',
    lost(({ type }) => type === 'reaction'),
    'CONTRACT-HISTORY',
  ),
  delivery(
    'every third event lost',
    lost((_, index) => index === 2),
  ),
  delivery(
    'message told twice',
    ofEventList((events) => events.flatMap((event) => [event, event])),
  ),
  delivery(
    'newest event first',
    ofEventList((events) => events.toReversed()),
  ),
  delivery('events gone without acknowledgement', onceOnly()),
  delivery('events back after acknowledgement', alwaysAll()),
  audience(
    'message told to everybody',
    leaked('/messages', ({ parameters }) => {
      const content = parameters.get('content')
      return content?.includes('mark-') ? { content } : undefined
    }),
  ),
  audience(
    'reaction told to everybody',
    leaked('/reactions', ({ path }) => ({ type: 'reaction', message_id: Number(path.split('/')[2]) })),
  ),
  audience('private channel listed for everybody', listedForEverybody()),
  audience('direct message listed for everybody', misdelivered()),
  tour('reactions taken back in silence', 'CONTRACT-TOLD', lostOf('reaction', 'remove')),
  tour('typing that never stops', 'CONTRACT-TOLD', lostOf('typing', 'stop')),
  tour('users who come in silence, and change', 'CONTRACT-STATE', lostOf('realm_user', 'add')),
  tour('subscribers who leave in silence', 'CONTRACT-STATE', lostOf('subscription', 'peer_remove')),
  tour('a status that cannot be set', 'CONTRACT-SUCCESS', (answer, { method, path }) => {
    if (method === 'POST' && path.endsWith('/status')) refuse(answer)
  }),
]

/** Shows everybody, among the events, what somebody did last. */
function leaked(ending: string, eventOf: (request: PassingRequest) => object | undefined): Fault {
  let leak: object | undefined
  return (answer, request) => {
    const isDone = request.method === 'POST' && answer.status === 200
    if (isDone && request.path.endsWith(ending)) leak = eventOf(request) ?? leak
    if (request.path !== '/events' || !answer.body?.events || leak === undefined) return
    answer.body.events.unshift({ id: 0, ...leak })
  }
}

function listedForEverybody(): Fault {
  let name: string | null = null
  return ({ body }: PassingAnswer, { path, parameters }) => {
    if (path === '/users/me/subscriptions' && parameters.has('invite_only')) name = parameters.get('subscriptions')
    if (path === '/register' && name !== null) body.streams?.push({ stream_id: 0, name: JSON.parse(name)[0].name })
  }
}

function misdelivered(): Fault {
  let content: string | null = null
  return ({ status, body }, { method, path, parameters }) => {
    if (status !== 200 || path !== '/messages') return
    if (method === 'POST' && parameters.get('content')?.includes('mark-')) content = parameters.get('content')
    const last = body.messages?.at(-1)
    if (method === 'GET' && last !== undefined && content !== null) body.messages.push({ ...last, content })
  }
}

function onceOnly(): Fault {
  const seen = new Set<string>()
  return ofEvents(({ body }) => {
    body.events = body.events.filter(({ id }: Json) => !seen.has(`${body.queue_id} ${id}`))
    for (const { id } of body.events) seen.add(`${body.queue_id} ${id}`)
  })
}

function alwaysAll(): Fault {
  const all = new Map<string, Json[]>()
  return ofEvents(({ body }) => {
    const known = all.get(body.queue_id) ?? []
    const fresh = body.events.filter(({ id }: Json) => !known.some((event) => event.id === id))
    all.set(body.queue_id, [...known, ...fresh])
    body.events = all.get(body.queue_id)
  })
}
