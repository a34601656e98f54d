import type { Fault, PassingAnswer, PassingRequest } from '../testing.ts'

// biome-ignore lint/suspicious/noExplicitAny: faults reach into answers of every shape
export type Json = any

/** A fault of every answer that succeeds for a method and a path that ends like this. */
export function ofSuccess(
  method: string,
  pathEnd: string,
  change: (body: Json, request: PassingRequest) => void,
): Fault {
  return (answer, request) => {
    const isMeant = request.method === method && request.path.endsWith(pathEnd)
    if (isMeant && answer.status === 200) change(answer.body, request)
  }
}

/** A fault of every answer with one message. */
export function ofMessage(change: (message: Json, answer: PassingAnswer, request: PassingRequest) => void): Fault {
  return (answer, request) => {
    if (request.method === 'GET' && answer.body?.message) change(answer.body.message, answer, request)
  }
}

export function refuse(answer: PassingAnswer, code: string): void {
  answer.status = 400
  answer.body = { result: 'error', msg: 'No', code }
}

export function succeed(answer: PassingAnswer, fields: object = {}): void {
  answer.status = 200
  answer.body = { result: 'success', msg: '', ...fields }
}
