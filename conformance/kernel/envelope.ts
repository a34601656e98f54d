import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { isServerFailure } from '../wire/refusals.ts'
import { isObject } from '../wire/values.ts'
import type { CheckContext } from './check-context.ts'

/** The rules that `followsEnvelope` checks; a check that calls it lists all of these. */
export const successRules = [
  ...['ENV-6', 'ENV-7', 'ENV-8', 'ENV-9', 'ENV-15', 'CONTRACT-ANSWER', 'CONTRACT-FAILURE'],
] as const
export const refusalRules = [
  ...['ENV-6', 'ENV-7', 'ENV-8', 'ENV-10', 'ENV-13', 'CONTRACT-ANSWER', 'CONTRACT-FAILURE'],
] as const

/** Statuses for which deployed servers are known to send no code, or no JSON (NOTE-20). */
const laxStatuses = new Set([404, 405, 413, 431, 500])

/** Whether the operation succeeded; otherwise nothing else about the answer is checked. */
export function isSuccess(t: CheckContext, exchange: Exchange): boolean {
  const { status, body } = exchange
  if (!t.that('CONTRACT-FAILURE', exchange, status < 500, 'an HTTP status below 500')) return false
  const isDone = status === 200 || body?.result === 'success'
  return t.that('CONTRACT-SUCCESS', exchange, isDone, 'success of a request that the contract allows')
}

/** Checks any answer of an operation against the rules for all answers, and against its schema. */
export function followsEnvelope(t: CheckContext, operation: Operation, exchange: Exchange): void {
  const { status, body, text } = exchange
  const isWhole = !isServerFailure(operation, exchange)
  t.that('CONTRACT-FAILURE', exchange, isWhole, 'an HTTP status below 500')
  if (!isOneObject(t, exchange)) return
  const saysSuccess = body.result === 'success'
  t.that('ENV-7', exchange, saysSuccess || body.result === 'error', '`result` is "success" or "error"')
  t.that('ENV-8', exchange, typeof body.msg === 'string', '`msg` is a string')
  if (status === 200 || saysSuccess) followsSuccess(t, exchange)
  else followsRefusal(t, exchange)
  if (!isWhole || text.length > 5_000_000 || isOthersOwn(t, operation, exchange)) return
  const problem = t.deployment.answers.problem(operation, status, body)
  t.that('CONTRACT-ANSWER', exchange, problem === undefined, `an answer as the contract describes it; but ${problem}`)
}

/** Checks the body of any answer against ENV-6, unless it is a file. */
export function isOneObject(t: CheckContext, exchange: Exchange): boolean {
  const { status, body } = exchange
  const expected = 'a body that is one JSON object'
  return t.thatOrDeviates('NOTE-20', 'ENV-6', exchange, isObject(body), expected, laxStatuses.has(status))
}

/** Whether another server sent a refusal that only Parley's document lacks; this is reported elsewhere. */
function isOthersOwn(t: CheckContext, { errors }: Operation, { status, body }: Exchange): boolean {
  return !t.isParley && status >= 400 && !errors.some((one) => one.status === status && one.code === body.code)
}

function followsSuccess(t: CheckContext, exchange: Exchange): void {
  const { status, body, headers } = exchange
  t.that('ENV-7', exchange, body.result === 'success', '`result` is "success" where the HTTP status is 200')
  t.that('ENV-9', exchange, body.msg === '', '`msg` is empty')
  const type = headers.get('content-type') ?? ''
  const isJson = /^application\/json(\s*;|$)/i.test(type)
  t.that('ENV-15', exchange, status === 200 && isJson, 'HTTP status 200 and content type application/json')
}

function followsRefusal(t: CheckContext, exchange: Exchange): void {
  const { status, body } = exchange
  if (!t.isParley && body.code === undefined && laxStatuses.has(status)) {
    t.deviates('NOTE-20', exchange, `\`code\`, also with HTTP ${status}`)
  } else {
    const isCode = typeof body.code === 'string' && body.code !== ''
    // The contract names only some of the API's codes; each server documents its own.
    const isKnown = isCode && (!t.isParley || t.deployment.contract.errorCodes.has(body.code))
    t.that('ENV-10', exchange, isKnown, '`code` is one of the error codes of the API')
  }
  const silent = !('ignored_parameters_unsupported' in body)
  t.that('ENV-13', exchange, silent, 'no `ignored_parameters_unsupported` in a refusal')
}
