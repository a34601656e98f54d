import type { SeededFault } from '../testing.ts'

const only = 'served/documented'

/** A server without one of the contract's operations. */
const lacking = (path: RegExp, method: string, answered: 404 | 405): SeededFault => ({
  name: `no ${method} ${path.source} (HTTP ${answered})`,
  only,
  violates: ['SCOPE-4'],
  fault(answer, request) {
    if (request.method !== method || !path.test(request.path)) return
    answer.status = answered
    const msg = answered === 404 ? 'Not found' : 'Method Not Allowed'
    answer.body = { result: 'error', msg, code: answered === 404 ? 'BAD_REQUEST' : 'METHOD_NOT_ALLOWED' }
  },
})

export const faults: readonly SeededFault[] = [
  lacking(/^\/export\/realm$/, 'POST', 405),
  lacking(/^\/mark_topic_as_read$/, 'POST', 405),
  {
    name: 'no topics of a channel (HTTP 404)',
    only,
    violates: ['SCOPE-4'],
    fault(answer, { path }) {
      if (!/^\/(?:users\/me\/\d+\/topics|conformance_none)$/.test(path)) return
      answer.status = 404
      answer.body = { result: 'error', msg: 'Not found', code: 'BAD_REQUEST' }
    },
  },
]
