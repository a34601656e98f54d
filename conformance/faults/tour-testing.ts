import type { Fault, SeededFault } from '../testing.ts'
import { ofEventList } from './changes-testing.ts'

function tour(name: string, violates: readonly string[], fault: Fault): SeededFault {
  return { name: `${name} (tour)`, only: 'tour/all', violates, needsUsers: true, fault }
}

function withoutType(type: string, op: string): Fault {
  return ofEventList((events) => events.filter((event) => event.type !== type || event.op !== op))
}

export const faults: readonly SeededFault[] = [
  tour('reactions taken back in silence', ['CONTRACT-TOLD'], withoutType('reaction', 'remove')),
  tour('typing that never stops', ['CONTRACT-TOLD'], withoutType('typing', 'stop')),
  tour('users who come in silence, and change', ['CONTRACT-STATE'], withoutType('realm_user', 'add')),
  tour('subscribers who leave in silence', ['CONTRACT-STATE'], withoutType('subscription', 'peer_remove')),
  tour('a status that cannot be set', ['CONTRACT-SUCCESS'], (answer, { method, path }) => {
    if (method !== 'POST' || !path.endsWith('/status')) return
    answer.status = 400
    answer.body = { result: 'error', msg: 'No', code: 'BAD_REQUEST' }
  }),
]
