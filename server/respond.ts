import type { Context } from 'koa'
import { ApiError, InternalServerError } from '../domain/errors.ts'
import { JsonFields, type ParkedPoll } from '../events/parked-poll.ts'

/** What is put around every answer (ENV-6 to ENV-13). */
function envelope(fields: string, ignored: readonly string[]): string {
  const reported = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  return `{"result":"success","msg":""${fields === '' ? '' : `,${fields}`}${reported}}\n`
}

/** The body of a successful answer. */
export function successBody(output: object, ignored: readonly string[]): string {
  if (output instanceof JsonFields) return envelope(output.json, ignored)
  return envelope(JSON.stringify(output).slice(1, -1), ignored)
}

/** The body of an error answer (ERR-1 to ERR-4). */
export function errorBody(err: ApiError): string {
  return `${JSON.stringify({ result: 'error', msg: err.message, code: err.code, ...err.data })}\n`
}

export function respondJson(ctx: Context, status: number, body: string): void {
  ctx.status = status
  ctx.set('Content-Type', 'application/json')
  ctx.body = body
}

export function respondError(ctx: Context, err: ApiError): void {
  ctx.set({ ...err.headers })
  respondJson(ctx, err.status, errorBody(err))
}

/** Whatever was thrown, as an answer; the reason of a fault stays in the log. */
export function toApiError(err: unknown, requestId: string): ApiError {
  return err instanceof ApiError ? err : new InternalServerError(requestId)
}

/**
 * Takes the request out of Koa and answers it when the poll is answered (architecture decision 12). The headers that
 * the middlewares set so far are on the raw answer already.
 * @param finish makes the whole body of the fields; what it throws becomes a 500
 */
export function respondLater(
  ctx: Context,
  poll: ParkedPoll,
  finish: (fields: string) => { status: number; body: string },
): void {
  ctx.respond = false
  const { res } = ctx
  res.on('close', () => poll.abandon())
  poll.whenAnswered((fields) => {
    const { status, body } = finish(fields)
    res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    res.end(body)
  })
}
