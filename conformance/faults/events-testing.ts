import type { Fault, SeededFault } from '../testing.ts'

/** A fault of every answer of GET /events. */
function ofEvents(change: (answer: Parameters<Fault>[0], request: Parameters<Fault>[1]) => void): Fault {
  return (answer, request) => {
    if (request.path === '/events' && request.method === 'GET' && answer.body?.events) change(answer, request)
  }
}

export const eventFaults: readonly SeededFault[] = [
  {
    name: 'event queue never empty',
    only: 'events/poll',
    violates: ['EVENTS-7'],
    fault: ofEvents(({ body }) => {
      if (body.events.length === 0) body.events = [{ id: 0, type: 'heartbeat' }]
    }),
  },
  {
    name: 'events under another name',
    only: 'events/poll',
    violates: ['EVENTS-5'],
    fault: ofEvents(({ body }) => {
      if (body.events.length === 3) body.events = { all: body.events }
    }),
  },
  {
    name: 'newest event first',
    only: 'events/poll',
    violates: ['EVENTS-6'],
    fault: ofEvents(({ body }) => body.events.reverse()),
  },
  {
    name: 'queue not named',
    only: 'events/poll',
    violates: ['EVENTS-8'],
    fault: ofEvents(({ body }) => {
      body.queue_id = 7
    }),
  },
  {
    name: 'events that come again after they were acknowledged',
    only: 'events/poll',
    violates: ['EVENTS-2', 'EVENTS-3'],
    fault: ofEvents(({ body }, { parameters }) => {
      if (parameters.has('dont_block') && body.events.length === 1) body.events.unshift({ id: 0, type: 'message' })
    }),
  },
  {
    name: 'waiting request answered with nothing',
    only: 'events/poll',
    violates: ['EVENTS-4', 'EVENTS-9'],
    fault: ofEvents(({ body }, { parameters }) => {
      if (!parameters.has('dont_block')) body.events = []
    }),
  },
  {
    name: 'queue of somebody else answered as if empty',
    only: 'events/refused',
    violates: ['EVENTS-1', 'EVENTS-13'],
    fault(answer, { path, method }) {
      if (path !== '/events' || method !== 'GET') return
      answer.status = 200
      answer.body = { result: 'success', msg: '', events: [], queue_id: 'x' }
    },
  },
  {
    name: 'reaction event without a code',
    only: 'reactions/event',
    violates: ['EV-OTHER-13'],
    fault: ofEvents(({ body }) => {
      for (const event of body.events ?? []) delete event.emoji_code
    }),
  },
]
