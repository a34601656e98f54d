import type { Fault, SeededFault } from '../testing.ts'
import { succeed } from './changes-testing.ts'

/** A fault of every refusal with this code. */
function ofCode(code: string, change: (answer: Parameters<Fault>[0]) => void): Fault {
  return (answer) => {
    if (answer.body?.code === code) change(answer)
  }
}

const limits = { PARLEY_RATE_LIMITS: 'on' }

export const faults: readonly SeededFault[] = [
  {
    name: 'fields of a code in an object of their own',
    only: 'refusals/fields',
    violates: ['ERR-4'],
    fault(answer) {
      if (answer.status === 200 || answer.body?.code === undefined) return
      const { result, msg, code, ...details } = answer.body
      answer.body = { result, msg, code, details }
    },
  },
  {
    name: 'refusals in words of its own',
    only: 'refusals/words',
    violates: ['ERR-HTTP-7'],
    fault({ status, body }) {
      if (status === 400) body.msg = 'No'
    },
  },
  {
    name: 'repeated reaction a conflict',
    only: 'refusals/words',
    violates: ['ERR-HTTP-2'],
    fault: ofCode('REACTION_ALREADY_EXISTS', (answer) => {
      answer.status = 409
    }),
  },
  {
    name: 'member told of owners',
    only: 'refusals/administrators',
    violates: ['AUTH-11', 'ERR-HTTP-2'],
    needsUsers: true,
    fault: ofCode('UNAUTHORIZED_PRINCIPAL', (answer) => {
      answer.status = 403
      answer.body.msg = 'Must be an organization owner'
    }),
  },
  {
    name: 'owner less than an administrator',
    only: 'refusals/administrators',
    violates: ['AUTH-12'],
    needsUsers: true,
    fault: thirdUpdateRefused(),
  },
  {
    name: 'bots refused everywhere',
    only: 'refusals/bots',
    violates: ['AUTH-22'],
    fault(answer, { path }) {
      if (path.endsWith('/matches_narrow')) answer.status = 403
    },
  },
  {
    name: 'bots present',
    only: 'refusals/bots',
    violates: ['AUTH-22'],
    fault(answer, { path }) {
      if (path !== '/users/me/presence') return
      answer.status = 200
      answer.body = { result: 'success', msg: '', presence_last_update_id: -1 }
    },
  },
  {
    name: 'bots with profiles',
    only: 'refusals/bots',
    violates: ['AUTH-22', 'PROFILE-7'],
    fault(answer, { path }) {
      if (path === '/users/me/profile_data') succeed(answer)
    },
  },
  {
    name: 'no seconds to wait after too many requests',
    only: 'refusals/rate-limit',
    violates: ['LIMIT-19'],
    needsUsers: true,
    settings: limits,
    fault: ofCode('RATE_LIMIT_HIT', ({ body, headers }) => {
      delete body['retry-after']
      headers.delete('retry-after')
    }),
  },
  {
    name: 'count of requests that is not told',
    only: 'refusals/rate-limit',
    violates: ['LIMIT-20'],
    needsUsers: true,
    settings: limits,
    fault({ headers }) {
      headers.delete('x-ratelimit-remaining')
    },
  },
]

/** The member and the administrator come before the owner. */
function thirdUpdateRefused(): Fault {
  let count = 0
  return (answer, { method, path }) => {
    if (method !== 'PATCH' || !path.startsWith('/users/')) return
    count += 1
    if (count < 3) return
    answer.status = 400
    answer.body = { result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL' }
  }
}
