import { ids } from '../kernel/check.ts'
import type { Fault, SeededFault } from '../testing.ts'
import { refuse, sentLongAgo, succeed } from './changes-testing.ts'

const only = 'move-rights/limits'
const code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
const needsUsers = true

const takesMoves: Fault = (answer, { method, path }) => {
  if (method === 'PATCH' && path.startsWith('/messages/') && answer.status === 400) succeed(answer)
}

/** Where the refusal of a topic that reaches back too far says something else. */
function told(
  name: string,
  violates: readonly string[],
  change: (body: Parameters<Fault>[0]['body']) => void,
): SeededFault {
  return {
    ...{ name, only, violates, needsUsers },
    fault({ body }) {
      if (body?.code === code) change(body)
    },
  }
}

export const faults: readonly SeededFault[] = [
  {
    ...{ name: 'moves that are never too late', only: 'move-rights/too-late', needsUsers },
    violates: ids('MSG-EDIT', [35, 36, 59]),
    fault(answer, request) {
      sentLongAgo(answer, request)
      takesMoves(answer, request)
    },
  },
  {
    ...{ name: 'topics that move however old they are', only, needsUsers, fault: takesMoves },
    violates: ids('MSG-EDIT', [38, 43, 55]),
    before({ method, url, form }) {
      // Of a topic all that are asked for, as if they were young.
      if (method === 'PATCH' && url.pathname.includes('/messages/')) form.delete('propagate_mode')
    },
  },
  told('numbers of other topics', ids('MSG-EDIT', [40, 41, 42, 46]), (body) => {
    body.first_message_id_allowed_to_move += 1
    body.total_messages_allowed_to_move += 1
    body.total_messages_in_topic += 1
  }),
  told('no first message where there is none', ['MSG-EDIT-45'], (body) => {
    if (body.first_message_id_allowed_to_move === null) delete body.first_message_id_allowed_to_move
  }),
  {
    ...{ name: 'moves that are too late for everybody', only, violates: ids('MSG-EDIT', [39, 44, 47]), needsUsers },
    fault(answer, { method, path }) {
      if (method === 'PATCH' && path.startsWith('/messages/')) refuse(answer, code)
    },
  },
  {
    ...{ name: 'moves by people of no group', only: 'move-rights/groups', needsUsers, fault: takesMoves },
    violates: [...ids('MSG-EDIT', [32, 33]), ...ids('STATE-TOPIC', [2, 7]), ...ids('LEVEL', [310, 316, 367])],
  },
  {
    ...{ name: 'moves by nobody', only: 'move-rights/groups', needsUsers },
    violates: [...ids('MSG-EDIT', [32, 33]), ...ids('STATE-TOPIC', [2, 7])],
    fault(answer, { method, path }) {
      if (method === 'PATCH' && path.startsWith('/messages/')) refuse(answer)
    },
  },
  {
    ...{ name: 'policies beside the groups that came after them', only: 'move-rights/groups', needsUsers },
    violates: ids('LEVEL', [310, 316]),
    fault({ body }) {
      if (!body || !('realm_can_create_groups' in body)) return
      Object.assign(body, { realm_move_messages_between_streams_policy: 1, realm_edit_topic_policy: 5 })
    },
  },
]
