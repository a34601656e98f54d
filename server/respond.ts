import type { Context } from 'koa'
import { isStorageFault } from '../db/dialect.ts'
import { ApiError, InternalServerError } from '../domain/errors.ts'
import { JsonPieces } from '../domain/json-pieces.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { ParkedPoll } from '../events/parked-poll.ts'
import { RawAnswer, StatusAnswer } from '../handlers/handler.ts'
import { LongAnswer } from './long-answer.ts'
import { isLong, writeInside } from './paced-json.ts'
import { stateOf } from './request-state.ts'

/** Adds the envelope of every answer (ENV-6 to ENV-13). */
function envelope(fields: string, ignored: readonly string[]): string {
  return `${BEFORE_FIELDS}${fields === '' ? '' : `,${fields}`}${afterFields(ignored)}`
}

const BEFORE_FIELDS = '{"result":"success","msg":""'

function afterFields(ignored: readonly string[]): string {
  return ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}\n` : '}\n'
}

/** The body of a successful answer. */
export function successBody(output: object, ignored: readonly string[]): string {
  if (output instanceof JsonPieces) return envelope(output.short ?? '', ignored)
  return envelope(JSON.stringify(output).slice(1, -1), ignored)
}

/** The body of an error answer (ERR-1 to ERR-4). */
export function errorBody(err: ApiError): string {
  return `${JSON.stringify({ result: 'error', msg: err.message, code: err.code, ...err.data })}\n`
}

const STORAGE_FAULT = 'The server cannot store anything now: its disk or database is full, read-only or fails'

/** Turns any error into an answer; the cause of a server error is only logged. */
export function toApiError(err: unknown, requestId: string): ApiError {
  if (err instanceof ApiError) return err
  return new InternalServerError(requestId, isStorageFault(err) ? STORAGE_FAULT : undefined)
}

/** Returns the answer, or a 500 in its place if answers are checked and it does not fit the contract. */
function checked(ctx: Context, status: number, body: string): { readonly status: number; readonly body: string } {
  try {
    stateOf(ctx).check?.(status, body)
    return { status, body }
  } catch (err) {
    const fault = stateOf(ctx).fault(err, 'answer is not in the contract')
    return { status: fault.status, body: errorBody(fault) }
  }
}

/** An answer is for one reader at one moment, and its content type must not be guessed. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const

function respondJson(ctx: Context, status: number, body: string | LongAnswer): void {
  ctx.status = status
  ctx.set(JSON_HEADERS)
  ctx.body = body
  if (body instanceof LongAnswer) ctx.length = body.bytes
}

/** @param reason the original error, for the log */
export function respondError(ctx: Context, err: ApiError, reason: unknown): void {
  ctx.set({ ...err.headers })
  if (err.status >= 500) {
    stateOf(ctx).fault(reason, 'request failed')
    respondJson(ctx, err.status, errorBody(err))
    return
  }
  const answer = checked(ctx, err.status, errorBody(err))
  respondJson(ctx, answer.status, answer.body)
}

export interface AnswerForm {
  /** Parameters to report (ENV-11). */
  readonly ignored: readonly string[]
  readonly hasEnvelope: boolean
}

/** Sends the result of a handler. A long one is turned into JSON in pieces, while others are served. */
export function respond(ctx: Context, output: object, { ignored, hasEnvelope }: AnswerForm): void | Promise<void> {
  if (output instanceof RawAnswer) {
    const { contentType, body, policy } = output
    const isFile = typeof body !== 'string'
    ctx.set({
      ...JSON_HEADERS,
      'Content-Type': contentType,
      // A picture that requires credentials keeps its URL when it is replaced.
      ...(isFile && { 'Cache-Control': stateOf(ctx).actor ? 'private, no-cache' : 'public, max-age=86400' }),
      ...(policy !== undefined && { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }),
    })
    ctx.body = isFile ? Buffer.from(body) : body
  } else if (output instanceof JsonPieces ? output.short === undefined : hasEnvelope && isLong(output)) {
    return respondLong(ctx, output, ignored)
  } else {
    const status = output instanceof StatusAnswer ? output.status : 200
    const data = output instanceof StatusAnswer ? output.body : output
    const body = hasEnvelope ? successBody(data, ignored) : `${JSON.stringify(data)}\n`
    const answer = checked(ctx, status, body)
    respondJson(ctx, answer.status, answer.body)
  }
}

async function respondLong(ctx: Context, output: object, ignored: readonly string[]): Promise<void> {
  const { actor, check } = stateOf(ctx)
  const hasLeft = (): boolean => ctx.req.socket.destroyed
  const pauses = new Pauses({ party: actor?.id, hasLeft })
  const pieces = new JsonPieces()
  pieces.add(`${BEFORE_FIELDS},`)
  if (output instanceof JsonPieces) pieces.append(output)
  else await writeInside(output, pieces, pauses)
  pieces.add(afterFields(ignored))
  if (!check) {
    respondJson(ctx, 200, pieces.short ?? new LongAnswer(pieces))
    return
  }
  const answer = checked(ctx, 200, Buffer.concat([...pieces.take()]).toString())
  respondJson(ctx, answer.status, answer.body)
}

/**
 * Takes the request out of Koa and answers it when the poll is answered (docs/decisions, "Parked polls leave Koa").
 * Headers that middlewares have set are on the raw answer already.
 */
export function respondLater(ctx: Context, poll: ParkedPoll, ignored: readonly string[]): void {
  ctx.respond = false
  const { res } = ctx
  res.on('close', () => poll.abandon())
  poll.whenAnswered((outcome) => {
    const isRefusal = outcome instanceof ApiError
    const { status, body } = isRefusal
      ? checked(ctx, outcome.status, errorBody(outcome))
      : checked(ctx, 200, envelope(outcome, ignored))
    stateOf(ctx).unread?.(body.length)
    res.writeHead(status, {
      ...JSON_HEADERS,
      ...(isRefusal && outcome.headers),
      'Content-Length': Buffer.byteLength(body),
    })
    res.end(body)
  })
}
