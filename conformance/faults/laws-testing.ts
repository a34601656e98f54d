import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofEventList, ofSuccess, refuse } from './changes-testing.ts'

/** Has its own people, because other checks change settings of the given accounts. */
function seen(only: string, name: string, violates: string, fault: Fault): SeededFault {
  return { name: `${name} (${only})`, only, violates: [violates], needsUsers: true, fault }
}

const lostOf = (type: string, op?: string): Fault =>
  ofEventList((events) => events.filter((event) => event.type !== type || (op !== undefined && event.op !== op)))

export const faults: readonly SeededFault[] = [
  seen('laws/state', 'flags told to nobody', 'CONTRACT-STATE', lostOf('update_message_flags')),
  seen('laws/state', 'reactions told to nobody', 'CONTRACT-HISTORY', lostOf('reaction')),
  seen('laws/delivery', 'events gone without acknowledgement', 'CONTRACT-DELIVERY', onceOnly()),
  seen('laws/audience', 'message told to everybody', 'CONTRACT-AUDIENCE', leaked()),
  seen('tour/all', 'typing that never stops', 'CONTRACT-TOLD', lostOf('typing', 'stop')),
  seen('tour/all', 'subscribers who leave in silence', 'CONTRACT-STATE', lostOf('subscription', 'peer_remove')),
  seen(
    'tour/all',
    'a new message is the newest of every topic',
    'CONTRACT-VIEWS',
    ofSuccess('GET', /\/topics$/, ({ topics }) => {
      for (const one of topics) one.max_id = topics[0].max_id
    }),
  ),
  seen('tour/all', 'a status that cannot be set', 'CONTRACT-SUCCESS', (answer, { method, path }) => {
    if (method === 'POST' && path.endsWith('/status')) refuse(answer)
  }),
]

/** Tells everybody of the last message of a check that compares what people hear. */
function leaked(): Fault {
  let content: string | null = null
  return ({ body }, { method, path, parameters }) => {
    const sent = method === 'POST' && path === '/messages' ? parameters.get('content') : null
    if (sent?.includes('mark-')) content = sent
    if (path === '/events' && content !== null) body?.events?.unshift({ id: 0, content })
  }
}

function onceOnly(): Fault {
  const told = new Set<string>()
  return ({ body }) => {
    if (body?.events === undefined) return
    body.events = body.events.filter(({ id }: Json) => !told.has(`${body.queue_id} ${id}`))
    for (const { id } of body.events) told.add(`${body.queue_id} ${id}`)
  }
}
