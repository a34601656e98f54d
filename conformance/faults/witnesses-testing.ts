import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofEventList, ofSuccess } from './changes-testing.ts'

function seen(name: string, only: string, violates: string, alongside: readonly string[], fault: Fault): SeededFault {
  return { name: `${name} (witness)`, only, violates: [violates], alongside, needsUsers: true, fault }
}

export const faults: readonly SeededFault[] = [
  seen('refusals as text', 'run/answers', 'CONTRACT-TYPE', ['refusals/words'], ({ status, headers }) => {
    if (status === 400) headers.set('content-type', 'text/plain')
  }),
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
    'type of event that nobody knows',
    'run/events',
    'EV-OTHER-16',
    ['effects/update-own-status'],
    ofEventList((events) =>
      events.map((event) => (event.type === 'user_status' ? { ...event, type: 'status' } : event)),
    ),
  ),
  seen(
    'stars in single messages shown for messages without',
    'run/ledger',
    'CONTRACT-KEPT',
    ['tour/all', 'effects/update-message-flags'],
    ofSuccess('GET', '/messages', ({ messages }) => {
      for (const message of messages) {
        const others = message.flags.filter((flag: string) => flag !== 'starred')
        message.flags = others.length < message.flags.length ? others : [...others, 'starred']
      }
    }),
  ),
  seen(
    'nobody has made the channels that one follows',
    'run/constants',
    'CONTRACT-CONSTANT',
    ['channels', 'effects/get-streams'],
    ofSuccess('GET', '/users/me/subscriptions', ({ subscriptions }) => {
      for (const one of subscriptions) one.creator_id = null
    }),
  ),
]
