import type { Fault, SeededFault } from '../testing.ts'
import { succeed } from './changes-testing.ts'

export const faults: readonly SeededFault[] = [
  {
    name: 'refusal with the code of another operation, seen by a check of something else',
    only: 'messages/hidden',
    violates: ['CONTRACT-CODE'],
    fault({ status, body }, { method, path }) {
      if (method === 'GET' && path.startsWith('/messages/') && status === 400) body.code = 'REACTION_ALREADY_EXISTS'
    },
  },
  {
    name: 'wrong key accepted by one operation',
    only: 'errors/get-streams',
    violates: ['CONTRACT-CODE'],
    fault: accept('INVALID_API_KEY'),
  },
  {
    name: 'channel that does not exist, refused with no code of its own',
    only: 'errors/send-message',
    violates: ['CONTRACT-CODE'],
    fault({ body }) {
      if (body.code === 'STREAM_DOES_NOT_EXIST') body.code = 'BAD_REQUEST'
    },
  },
  {
    name: 'code with another status than the contract lists for it',
    only: 'errors/get-messages',
    violates: ['CONTRACT-CODE'],
    fault(answer) {
      if (answer.body.code === 'BAD_NARROW') answer.status = 404
    },
  },
  {
    name: 'administrators’ operation open to everybody',
    only: 'roles/update-user-status',
    violates: ['CONTRACT-ROLE'],
    fault: accept('UNAUTHORIZED_PRINCIPAL'),
  },
  {
    name: 'administrators refused as well',
    only: 'roles/update-user-status',
    violates: ['CONTRACT-ROLE'],
    fault: refuseAll('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  },
  {
    name: 'members taken for guests',
    only: 'roles/get-streams',
    violates: ['CONTRACT-ROLE'],
    fault: refuseAll('BAD_REQUEST', 'Not allowed for guest users'),
  },
  {
    name: 'refusal of a role in other words',
    only: 'roles/update-user',
    violates: ['CONTRACT-ROLE'],
    fault({ body }) {
      if (body.code === 'UNAUTHORIZED_PRINCIPAL')
        Object.assign(body, { code: 'BAD_REQUEST', msg: 'Insufficient permission' })
    },
  },
  {
    name: 'bot accepted where only people are',
    only: 'roles/update-presence',
    violates: ['CONTRACT-ROLE'],
    fault(answer) {
      if (/bot requests/.test(answer.body.msg)) succeed(answer)
    },
  },
  {
    name: 'bot refused where everybody is welcome',
    only: 'roles/get-streams',
    violates: ['CONTRACT-ROLE'],
    fault: refuseAll('BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  },
]

function accept(code: string): Fault {
  return (answer) => {
    if (answer.body.code === code) succeed(answer)
  }
}

/** Refuses the operation that the check is about, and leaves its set-up alone. */
function refuseAll(code: string, msg: string): Fault {
  return (answer, { method, path }) => {
    const isAsked =
      (method === 'GET' && path === '/streams') || (method === 'POST' && /^\/users\/\d+\/status$/.test(path))
    if (!isAsked) return
    answer.status = 400
    answer.body = { result: 'error', msg, code }
  }
}
