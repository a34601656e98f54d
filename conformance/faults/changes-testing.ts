import type { Fault, PassingAnswer, PassingRequest } from '../testing.ts'

// biome-ignore lint/suspicious/noExplicitAny: faults reach into answers of every shape
export type Json = any

/** A fault in every success answer to this method, for paths that end with `path` or match it. */
export function ofSuccess(
  method: string,
  path: string | RegExp,
  change: (body: Json, request: PassingRequest) => void,
): Fault {
  return (answer, request) => {
    if (request.method !== method || answer.status !== 200) return
    const isMeant = typeof path === 'string' ? request.path.endsWith(path) : path.test(request.path)
    if (isMeant) change(answer.body, request)
  }
}

/** A fault in the selection and order of events in every answer of GET /events. */
export function ofEventList(change: (events: Json[]) => Json[]): Fault {
  return ({ body }, { method, path }) => {
    if (path === '/events' && method === 'GET' && body?.events) body.events = change(body.events)
  }
}

export function refuse(answer: PassingAnswer, code = 'BAD_REQUEST'): void {
  answer.status = 400
  answer.body = { result: 'error', msg: 'No', code }
}

export function succeed(answer: PassingAnswer): void {
  answer.status = 200
  answer.body = { result: 'success', msg: '' }
}
