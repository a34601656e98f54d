import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered, misread, without } from './misreadings-testing.ts'

const [kept, sent, refused] = ['create-scheduled-message', 'sent-at-its-time', 'unschedulable']
const making = ['POST', '/scheduled_messages'] as const
const changing = ['PATCH', /^\/scheduled_messages\//] as const
const type = 'scheduled_messages'

const listed = (change: (rows: Json[]) => void) =>
  ofSuccess('GET', '/scheduled_messages', (body) => change(body.scheduled_messages))
const never = (op: string) => ofEventList((events) => events.filter((event) => event.type !== type || event.op !== op))

export const faults: readonly SeededFault[] = [
  misanswered(kept, 'scheduled messages told to nobody', never('add')),
  misanswered(kept, 'changes of scheduled messages told to nobody', never('update')),
  misanswered(kept, 'deleted scheduled messages told to nobody', never('remove')),
  misanswered(
    kept,
    'scheduled messages in the order in which they were made',
    listed((rows) => rows.sort((a, b) => a.scheduled_message_id - b.scheduled_message_id)),
  ),
  misanswered(
    kept,
    'scheduled messages that failed before their time',
    listed((rows) => {
      for (const row of rows) row.failed = true
    }),
  ),
  misanswered(
    kept,
    'registrations that know of no scheduled message',
    ofSuccess('POST', '/register', (body) => {
      body.scheduled_messages &&= []
    }),
  ),
  misanswered(kept, 'scheduled messages of others deleted', (answer, { method, path }) => {
    if (method === 'DELETE' && path.startsWith('/scheduled_messages/') && answer.status === 404) succeed(answer)
  }),
  misread(kept, 'new content passed over', changing, without('content')),
  misread(kept, 'new times passed over', changing, (parameters) => {
    if (parameters.size === 1) parameters.set('content', 'Of no use.')
    parameters.delete('scheduled_delivery_timestamp')
  }),
  misanswered(
    sent,
    'messages sent at their time by somebody else',
    ofEvent('message', ({ message }) => {
      message.sender_id += 1
    }),
  ),
  misanswered(
    sent,
    'messages sent before their time',
    ofEvent('message', ({ message }) => {
      message.timestamp -= 60
    }),
  ),
  misanswered(sent, 'what was sent stays scheduled', never('remove')),
  misanswered(refused, 'nothing changed with success', (answer, { method, parameters }) => {
    if (method === 'PATCH' && parameters.size === 0) succeed(answer)
  }),
  misread(refused, 'past times in the future', making, (parameters) => {
    parameters.set('scheduled_delivery_timestamp', '2082787200')
  }),
]
