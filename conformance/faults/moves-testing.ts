import { ids } from '../kernel/check.ts'
import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess, refuse, succeed } from './changes-testing.ts'

/** A server that understands a parameter of a move otherwise. */
function taken(
  name: string,
  only: string,
  violates: readonly string[],
  change: (form: URLSearchParams) => void,
): SeededFault {
  return {
    ...{ name, only: `moves/${only}`, violates, fault: () => {} },
    before: ({ method, form }) => {
      if (method === 'PATCH') change(form)
    },
  }
}

function shown(name: string, only: string, violates: readonly string[], change: (message: Json) => void): SeededFault {
  return { name, only: `moves/${only}`, violates, fault: ofMessage((message) => change(message)) }
}

function inHistory(
  name: string,
  only: string,
  violates: readonly string[],
  change: (entry: Json) => void,
): SeededFault {
  return shown(name, only, violates, (message) => {
    for (const entry of message.edit_history ?? []) change(entry)
  })
}

const mode = 'propagate_mode'

/** Moves are taken that are refused. */
const takesMoves: Fault = (answer, { method }) => {
  if (method === 'PATCH' && answer.status === 400) succeed(answer)
}

const [toNew, toOld] = ['send_notification_to_new_thread', 'send_notification_to_old_thread']

export const faults: readonly SeededFault[] = [
  taken('moves that take all along', 'topics', ['MSG-EDIT-12', 'MSG-EDIT-13'], (form) => form.set(mode, 'change_all')),
  taken('moves of one message', 'topics', ['MSG-EDIT-13', 'MSG-EDIT-14'], (form) => form.delete(mode)),
  taken('moves without an alias', 'topics', ['MSG-EDIT-9'], (form) => form.delete('subject')),
  {
    name: 'moves that do nothing',
    only: 'moves/topics',
    violates: ['MSG-EDIT-2'],
    fault: ofMessage((message) => {
      message.subject = 'elsewhere'
    }),
  },
  shown('moves without a time', 'topics', ['MSG-FIELD-39'], (message) => {
    delete message.last_moved_timestamp
  }),
  inHistory('history without old topics', 'topics', ['MSG-HIST-8'], (entry) => {
    delete entry.prev_topic
  }),
  inHistory('history without new topics', 'topics', ['MSG-HIST-9'], (entry) => {
    delete entry.topic
  }),
  inHistory('history with the old name', 'topics', ['MSG-HIST-10'], (entry) => {
    entry.prev_subject = entry.prev_topic
  }),
  shown('topics of any length', 'topics', ['MSG-EDIT-4'], (message) => {
    if (message.subject.startsWith('xxxx')) message.subject += 'xxxx'
  }),
  taken('content without the topic', 'together', ['MSG-EDIT-29'], (form) => {
    if (form.has('content')) form.delete('topic')
  }),
  shown('a name for the empty topic', 'together', ['EMPTY-3'], (message) => {
    if (message.subject === '') message.subject = 'general chat'
  }),
  taken('notices everywhere', 'notices', ['MSG-EDIT-17', 'MSG-EDIT-19', 'LEVEL-152'], (form) => {
    for (const one of [toNew, toOld]) form.set(one, 'true')
  }),
  taken('notices nowhere', 'notices', ['MSG-EDIT-16', 'MSG-EDIT-18', 'LEVEL-152'], (form) => {
    for (const one of [toNew, toOld]) form.set(one, 'false')
  }),
  taken('marks of single messages', 'resolving', ['STATE-TOPIC-1', 'STATE-TOPIC-6'], (form) => form.delete(mode)),
  shown('marks that are moves', 'resolving', ['STATE-TOPIC-5', 'STATE-TOPIC-9'], (message) => {
    message.last_moved_timestamp = message.timestamp
  }),
  {
    name: 'notices of a move for marks',
    only: 'moves/resolving',
    violates: ['STATE-TOPIC-4', 'STATE-TOPIC-8'],
    fault: ofSuccess('GET', '/messages', (body) => {
      const notices = body.messages.filter((one: Json) => one.client === 'Internal')
      body.messages.push(...notices.map((one: Json) => ({ ...one })))
    }),
  },
  {
    name: 'the empty topic resolved',
    only: 'moves/resolving',
    violates: ['STATE-TOPIC-3'],
    fault(answer, { method }) {
      if (method === 'PATCH' && answer.status === 400) succeed(answer)
    },
  },
  shown('channels that keep their messages', 'channels', ['MSG-EDIT-26'], (message) => {
    message.stream_id += 1
  }),
  inHistory('history without old channels', 'channels', ['MSG-HIST-6'], (entry) => {
    delete entry.prev_stream
  }),
  {
    name: 'two names of a topic',
    only: 'moves/refused',
    violates: ['MSG-EDIT-10'],
    fault: takesMoves,
    before: ({ form }) => form.delete('subject'),
  },
  {
    name: 'modes of any name',
    only: 'moves/refused',
    violates: ['MSG-EDIT-11'],
    fault: () => {},
    before({ form }) {
      if (form.get(mode) === 'change_some') form.set(mode, 'change_one')
    },
  },
  {
    name: 'moves whose parameters are looked at first',
    only: 'moves/refused',
    violates: ['MSG-EDIT-60'],
    fault(answer, { method, parameters }) {
      if (method !== 'PATCH' || !parameters.has('content')) return
      refuse(answer)
      answer.body.msg = 'Cannot change message content while changing channel'
    },
  },
  {
    ...{ name: 'topics that no channel admits', only: 'moves/topics-policy', needsUsers: true },
    ...{ violates: ids('MSG-EDIT', [5, 6, 7, 61]), fault: takesMoves },
  },
  {
    ...{ name: 'topics refused for no reason', only: 'moves/topics-policy', violates: ['MSG-EDIT-61'] },
    needsUsers: true,
    fault(answer) {
      delete answer.body?.empty_topic_display_name
    },
  },
  inHistory('history without new channels', 'channels', ['MSG-HIST-7'], (entry) => {
    delete entry.stream
  }),
]
