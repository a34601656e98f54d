import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, BadRequestError, BodyTooLargeError, UnsupportedContentTypeError } from '../../domain/errors.ts'
import type { Input, Output, Schemas, TestingOperationId } from '../../generated/operations.ts'
import type { Config } from '../config.ts'
import { type Contract, type ContractOperation, createContract } from '../contract.ts'
import { type Pair, parsePairs } from '../decode.ts'
import { URLENCODED } from '../form.ts'
import { refuseUnlessLocal } from '../loopback.ts'
import { errorBody, successBody } from '../respond.ts'
import type { JournalEntry } from './journal.ts'
import { mistakesOf } from './mistakes.ts'
import type { Verbs } from './verbs.ts'

type Handled<Op extends TestingOperationId> = (verbs: Verbs, input: Input<Op>) => Promise<Output<Op>> | Promise<void>

/** Everything that a test can do over HTTP: the operations below /testing. */
const OPERATIONS: { readonly [Op in TestingOperationId]: Handled<Op> } = {
  'advance-clock': (verbs, { ms }) => verbs.advance(ms),
  'expire-queues': async (verbs) => ({ queues: await verbs.expireQueues() }),
  'fail-next': (verbs, { retry_after: retryAfter, ...failure }) =>
    verbs.failNext({ ...failure, ...(retryAfter !== undefined && { retryAfter }) }),
  'limit-rates': (verbs, { calls_a_minute: calls = null }) => verbs.limitRates(calls),
  'pause-events': (verbs) => verbs.pauseEvents(),
  'resume-events': (verbs) => verbs.resumeEvents(),
  'restart-server': (verbs) => verbs.restart(),
  'take-snapshot': (verbs) => verbs.snapshot(),
  'reset-server': (verbs, { to }) => verbs.reset({ to }),
  'make-test-user': (verbs, { full_name: name }) => verbs.newUser(name),
  'get-journal': async (verbs) => ({ requests: (await verbs.requests()).map(toWire) }),
  'get-mistakes': async (verbs) => ({ mistakes: mistakesOf(await verbs.requests()) }),
}

/** More than any test sends. */
const MAX_BODY_BYTES = 64 * 1024

/** @returns whether the request is for the stand-in itself, which then answers it */
export type Control = (verbs: Verbs, request: IncomingMessage, response: ServerResponse) => boolean

function toWire({ hasKeyInUrl, retryAfter, ...same }: JournalEntry): Schemas['JournalEntry'] {
  return { ...same, has_key_in_url: hasKeyInUrl, retry_after: retryAfter }
}

type AnyHandler = (verbs: Verbs, input: object) => Promise<object | undefined>

/** Answers the operations below /testing. It runs in front of the server, because that is stopped and started again. */
export async function createControl({ checkAnswers }: Pick<Config, 'checkAnswers'>): Promise<Control> {
  const { decoded } = JSON.parse(await readFile(new URL('../../generated/testing.json', import.meta.url), 'utf8'))
  const contract = await createContract<AnyHandler, Verbs, undefined, object>({
    definition: decoded,
    handlers: OPERATIONS as unknown as Readonly<Record<string, AnyHandler>>,
    authenticate: () => undefined,
    authorize: () => undefined,
    run: async (handler, { request: verbs, input, ignored }) => {
      // A misspelt parameter would silently change what the call does.
      if (ignored.length > 0) throw new BadRequestError(`Unknown parameters: ${ignored.join(', ')}`)
      return (await handler(verbs, input)) ?? {}
    },
  })
  return (verbs, request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://localhost')
    if (!url || !/^\/testing(\/|$)/.test(url.pathname)) return false
    const called = { verbs, request, path: url.pathname, query: url.search.slice(1) }
    void answer(contract, called, checkAnswers).then(({ status, headers, body }) => {
      response.writeHead(status, {
        ...headers,
        ...(body !== '' && { 'Content-Type': 'application/json' }),
        'Content-Length': Buffer.byteLength(body),
      })
      response.end(body)
    })
    return true
  }
}

interface Called {
  readonly verbs: Verbs
  readonly request: IncomingMessage
  readonly path: string
  readonly query: string
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

async function answer(contract: Contract<Verbs, object>, called: Called, isChecked: boolean): Promise<Answer> {
  const { verbs, request, path, query } = called
  const { method = '' } = request
  let operationId: string | undefined
  const checked = (status: number, body: string): void => {
    if (isChecked && operationId !== undefined) contract.checkAnswer(operationId, status, JSON.parse(body))
  }
  try {
    refuseUnlessLocal(request)
    if (method === 'OPTIONS') return { status: 204, headers: { Allow: contract.allowed(path).join(', ') }, body: '' }
    const match = contract.match(method, path)
    operationId = match.operation.operationId
    const form = takesForm(match.operation, request) ? await formOf(request) : []
    const output = await contract.handle({ match, query: parsePairs(query), form, request: verbs })
    const body = successBody(output, [])
    checked(200, body)
    return { status: 200, body }
  } catch (err) {
    const refusal = err instanceof RangeError ? new BadRequestError(err.message) : err
    if (!(refusal instanceof ApiError)) return fault(refusal)
    const body = errorBody(refusal)
    try {
      checked(refusal.status, body)
    } catch (mismatch) {
      return fault(mismatch)
    }
    return { status: refusal.status, headers: refusal.headers, body }
  }
}

/** Includes the cause, because only the author of the test sees it. */
function fault(err: unknown): Answer {
  return {
    status: 500,
    body: errorBody(Object.assign(new BadRequestError(String(err)), { code: 'INTERNAL_SERVER_ERROR' })),
  }
}

/** A body that is not a form is ignored if none is needed. */
function takesForm({ 'x-decode': rules }: ContractOperation, { headers }: IncomingMessage): boolean {
  return Object.keys(rules).length > 0 || headers['content-type']?.startsWith(URLENCODED) === true
}

/** Returns the form in the body, as everywhere in the contract. */
async function formOf(request: IncomingMessage): Promise<readonly Pair[]> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new BodyTooLargeError(MAX_BODY_BYTES)
    chunks.push(chunk)
  }
  const type = request.headers['content-type'] ?? ''
  if (bytes > 0 && !type.startsWith(URLENCODED)) throw new UnsupportedContentTypeError(type.slice(0, 100), URLENCODED)
  return parsePairs(Buffer.concat(chunks))
}
