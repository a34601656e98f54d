import type { Fault, PassingAnswer, PassingRequest } from '../testing.ts'

// biome-ignore lint/suspicious/noExplicitAny: faults reach into answers of every shape
export type Json = any

/** A fault of every answer that succeeds for a method and a path that ends or is like this. */
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

/** A fault of every answer with one message. */
export function ofMessage(change: (message: Json, answer: PassingAnswer, request: PassingRequest) => void): Fault {
  return (answer, request) => {
    if (request.method === 'GET' && answer.body?.message) change(answer.body.message, answer, request)
  }
}

/** As if messages had been sent long ago: for checks of limits, which wait until the message is older. */
export const sentLongAgo = ofMessage((message) => {
  message.timestamp -= 3600
})

export function refuse(answer: PassingAnswer, code = 'BAD_REQUEST'): void {
  answer.status = 400
  answer.body = { result: 'error', msg: 'No', code }
}

export function succeed(answer: PassingAnswer, fields: object = {}): void {
  answer.status = 200
  answer.body = { result: 'success', msg: '', ...fields }
}
