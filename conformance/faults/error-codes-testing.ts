import type { Fault, SeededFault } from '../testing.ts'

export const errorCodeFaults: readonly SeededFault[] = [
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
    violates: [],
    deviates: ['CONTRACT-CODE'],
    fault({ body }) {
      if (body.code === 'STREAM_DOES_NOT_EXIST') body.code = 'BAD_REQUEST'
    },
  },
  {
    name: 'code with another status than the contract lists for it',
    only: 'errors/get-messages',
    violates: [],
    deviates: ['CONTRACT-CODE'],
    fault(answer) {
      if (answer.body.code === 'BAD_NARROW') answer.status = 404
    },
  },
]

function accept(code: string): Fault {
  return (answer) => {
    if (answer.body.code === code) succeed(answer)
  }
}

function succeed(answer: Parameters<Fault>[0]): void {
  answer.status = 200
  answer.body = { result: 'success', msg: '' }
}
