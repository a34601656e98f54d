import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'

type Only = 'kept' | 'come' | 'refused'

function wrong(only: Only, name: string, violates: string, fault: Fault): SeededFault {
  return { name: `reminders: ${name}`, only: `reminders/${only}`, violates: [violates], fault }
}

const making = '/reminders'
const listed = (change: (rows: Json[]) => void): Fault => ofSuccess('GET', making, ({ reminders }) => change(reminders))
const each = (change: (row: Json) => void): Fault => listed((rows) => rows.forEach(change))
const coming = (change: (message: Json) => void): Fault => ofEvent('message', ({ message }) => change(message))

function refusedWhere(name: string): Fault {
  return (answer, { method, path, parameters }) => {
    if (method !== 'POST' || path !== making || answer.status !== 200 || parameters.has('note') !== (name === 'note'))
      return
    answer.status = 400
    answer.body = { result: 'error', msg: 'No.', code: 'BAD_REQUEST' }
  }
}

/** What was deleted, or has come, stays in lists. */
function undead(): Fault {
  let seen: Json[] = []
  return listed((rows) => {
    rows.push(...seen.filter((one) => !rows.some(({ reminder_id }) => reminder_id === one.reminder_id)))
    seen = [...rows]
  })
}

const says = (name: string, from: RegExp): SeededFault =>
  wrong('refused', `${name} in other words`, 'REMIND-8', ({ body }) => {
    if (from.test(body?.msg)) body.msg = 'No.'
  })

export const faults: readonly SeededFault[] = [
  wrong(
    'kept',
    'of another message',
    'REMIND-1',
    each((row) => {
      row.reminder_target_message_id += 1
    }),
  ),
  wrong('kept', 'refused without a note', 'REMIND-4', refusedWhere('')),
  wrong('kept', 'refused', 'LEVEL-381', refusedWhere('')),
  ...['REMIND-5', 'REC-5'].map((requirement) =>
    wrong(
      'kept',
      `ids as text, ${requirement}`,
      requirement,
      ofSuccess('POST', making, (body) => {
        body.reminder_id = `${body.reminder_id}`
      }),
    ),
  ),
  wrong(
    'kept',
    'without a sign of failure',
    'REC-8',
    each((row) => {
      delete row.failed
    }),
  ),
  wrong(
    'kept',
    'in the order in which they were made',
    'STATE-OTHER-3',
    listed((rows) => rows.sort((a, b) => a.reminder_id - b.reminder_id)),
  ),
  wrong('kept', 'deleted and listed', 'STATE-OTHER-3', undead()),
  wrong(
    'kept',
    'made in silence',
    'EV-OTHER-14',
    ofEventList((events) => events.filter(({ type, op }) => type !== 'reminders' || op !== 'add')),
  ),
  wrong('kept', 'those of others deleted', 'CONTRACT-EFFECT', (answer, { method, path }) => {
    if (method === 'DELETE' && path.startsWith('/reminders/') && answer.status === 404) succeed(answer)
  }),
  wrong('kept', 'unknown ones with 400', 'ERR-HTTP-1', (answer, { path }) => {
    if (path.startsWith('/reminders/') && answer.status === 404) answer.status = 400
  }),
  wrong(
    'come',
    'long before their time',
    'REMIND-2',
    coming((message) => {
      message.timestamp -= 60
    }),
  ),
  wrong(
    'come',
    'without their note',
    'REMIND-3',
    coming((message) => {
      message.content = message.content.split('note')[0]
    }),
  ),
  wrong('come', 'notes refused', 'LEVEL-415', refusedWhere('note')),
  wrong(
    'come',
    'from somebody else',
    'REMIND-6',
    coming((message) => {
      message.sender_email = 'somebody@parley.example'
    }),
  ),
  wrong(
    'come',
    'without a link',
    'CONTRACT-EFFECT',
    coming((message) => {
      message.content = message.content.replaceAll(/\d/g, '')
    }),
  ),
  wrong(
    'come',
    'and stay',
    'STATE-OTHER-3',
    ofEvent('reminders', (event) => {
      if (event.op === 'remove') event.reminder_id += 1
    }),
  ),
  wrong('refused', 'missing parameters with another code', 'REMIND-7', ({ body }) => {
    if (body?.code === 'REQUEST_VARIABLE_MISSING') body.code = 'BAD_REQUEST'
  }),
  wrong(
    'refused',
    'another longest note',
    'LIMIT-25',
    ofSuccess('POST', '/register', (body) => {
      body.max_reminder_note_length = 999
    }),
  ),
  says('long notes', /^Maximum reminder/),
  says('unknown messages', /^Invalid message/),
  says('past times', /^Scheduled delivery time/),
]
