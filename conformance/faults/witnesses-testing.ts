import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofEvent, ofSuccess } from './changes-testing.ts'

function seen(name: string, only: string, violates: string, alongside: readonly string[], fault: Fault): SeededFault {
  return { name: `${name} (witness)`, only, violates: [violates], alongside, needsUsers: true, fault }
}

const constant = (name: string, alongside: readonly string[], fault: Fault): SeededFault =>
  seen(name, 'run/constants', 'CONTRACT-CONSTANT', alongside, fault)

export const faults: readonly SeededFault[] = [
  seen('refusals as text', 'run/answers', 'CONTRACT-TYPE', ['refusals/words'], ({ status, headers }) => {
    if (status === 400) headers.set('content-type', 'text/plain')
  }),
  seen(
    'parameters called unsupported that are taken',
    'run/answers',
    'ENV-11',
    ['topics'],
    ofSuccess('GET', /^\/users\/me\/\d+\/topics$/, (body) => {
      body.ignored_parameters_unsupported = ['allow_empty_topic_name']
    }),
  ),
  seen(
    'presences in milliseconds',
    'run/answers',
    'CONTRACT-ANSWER',
    ['effects/get-presence'],
    ofSuccess('GET', /^\/users\/\d+\/presence$/, ({ presence }) => {
      for (const one of Object.values<Json>(presence)) one.timestamp *= 1000
    }),
  ),
  seen(
    'subscribers with the highest ID first',
    'run/answers',
    'CONTRACT-ANSWER',
    ['effects/get-subscribers'],
    ofSuccess('GET', /^\/streams\/\d+\/members$/, (body) => {
      body.subscribers.reverse()
    }),
  ),
  seen('a failure now and then', 'run/answers', 'CONTRACT-FAILURE', ['refusals/words'], (answer) => {
    if (answer.body?.code !== 'REACTION_ALREADY_EXISTS') return
    answer.status = 500
    answer.body = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }
  }),
  seen('success as text', 'run/answers', 'ENV-15', ['reactions/add'], ({ status, headers }) => {
    if (status === 200) headers.set('content-type', 'text/html')
  }),
  seen(
    'type of event that nobody knows',
    'run/events',
    'EV-OTHER-16',
    ['effects/update-own-status'],
    ofEvent('user_status', (event) => {
      event.type = 'status'
    }),
  ),
  seen(
    'op that nobody knows',
    'run/events',
    'EV-OTHER-17',
    ['effects/subscribe'],
    ofEvent('subscription', (event) => {
      event.op = 'join'
    }),
  ),
  seen(
    'stars in single messages shown for messages without',
    'run/ledger',
    'CONTRACT-KEPT',
    ['tour/all', 'effects/update-message-flags'],
    ofSuccess('GET', '/messages', (body) => {
      for (const message of body.messages) {
        message.flags = message.flags.includes('starred')
          ? message.flags.filter((flag: string) => flag !== 'starred')
          : [...message.flags, 'starred']
      }
    }),
  ),
  constant(
    'one address for each sender in a channel',
    ['tour/all'],
    ofEvent('message', ({ message }) => {
      message.recipient_id += message.sender_id * 1_000_000
    }),
  ),
  constant('one address for all channels', ['tour/all'], (answer) => {
    const lists = [
      answer.body?.messages,
      [answer.body?.message],
      answer.body?.events?.map((event: Json) => event.message),
    ]
    for (const one of lists.flat()) if (one?.type === 'stream') one.recipient_id = 1
  }),
  constant(
    'nobody has made the channels that one follows',
    ['channels', 'effects/get-streams'],
    ofSuccess('GET', '/users/me/subscriptions', ({ subscriptions }) => {
      for (const one of subscriptions) one.creator_id = null
    }),
  ),
]
