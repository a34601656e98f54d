import { setTimeout as delay } from 'node:timers/promises'
import type { Fault, SeededFault } from '../testing.ts'
import { type Json, refuse } from './changes-testing.ts'

/** A fault of every answer of GET /events. */
export function ofEvents(change: (answer: Parameters<Fault>[0], request: Parameters<Fault>[1]) => void): Fault {
  return (answer, request) => {
    if (request.path === '/events' && request.method === 'GET' && answer.body?.events) change(answer, request)
  }
}

/** A fault of which events such an answer has, and in which order. */
export function ofEventList(change: (events: Json[]) => Json[]): Fault {
  return ofEvents(({ body }) => {
    body.events = change(body.events)
  })
}

/** A fault of every event of one type. */
export function ofEvent(type: string, change: (event: Json) => void): Fault {
  return ofEvents(({ body }) => {
    for (const event of body.events) if (event.type === type) change(event)
  })
}

const quickHeartbeats = { PARLEY_HEARTBEAT_SECONDS: '1' }

export const faults: readonly SeededFault[] = [
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
    name: 'requests that need not wait wait a little',
    only: 'events/poll',
    violates: ['EVENTS-7'],
    async fault({ body }, { parameters }) {
      if (parameters.has('dont_block') && body.events.length === 0) await delay(2500)
    },
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
    name: 'messages told of somewhere else',
    only: 'events/poll',
    violates: ['EV-1'],
    fault: ofEvent('message', (event) => {
      event.message.id += 1
    }),
  },
  {
    name: 'ids of events in words',
    only: 'events/poll',
    violates: ['EV-2'],
    fault: ofEvent('message', (event) => {
      event.id = String(event.id)
    }),
  },
  {
    name: 'events by number',
    only: 'events/poll',
    violates: ['EV-4'],
    fault: ofEvent('message', (event) => {
      event.type = 7
    }),
  },
  {
    name: 'waiting in vain answered with nothing',
    only: 'events/heartbeat',
    violates: ['EVENTS-10'],
    settings: quickHeartbeats,
    fault: ofEvents(({ body }) => {
      body.events = []
    }),
  },
  {
    name: 'clients told to give up before the heartbeat',
    only: 'events/heartbeat',
    violates: ['EVENTS-11'],
    settings: quickHeartbeats,
    fault({ body }, { path }) {
      if (path === '/register') body.event_queue_longpoll_timeout_seconds = 1
    },
  },
  {
    name: 'no event queue without registration',
    only: 'events/registered-by-asking',
    violates: ['EVENTS-12'],
    fault(answer, { path, parameters }) {
      if (path === '/events' && !parameters.has('queue_id')) refuse(answer, 'REQUEST_VARIABLE_MISSING')
    },
  },
  {
    name: 'acknowledged events asked for again in silence',
    only: 'events/again',
    violates: ['EVENTS-14'],
    fault(answer, { path }) {
      if (path !== '/events' || answer.status === 200) return
      answer.status = 200
      answer.body = { result: 'success', msg: '', events: [], queue_id: 'x' }
    },
  },
  {
    name: 'older of two requests refused',
    only: 'events/again',
    violates: ['EVENTS-15'],
    fault: ofEvents((answer, { parameters }) => {
      if (!parameters.has('dont_block') && answer.body.events.length === 0) refuse(answer, 'BAD_REQUEST')
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
