import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { BadRequestError, MethodNotAllowedError, UnknownUrlError } from '../../domain/errors.ts'
import { isLoopback } from '../loopback.ts'
import { errorBody } from '../respond.ts'
import type { Failure } from './failures.ts'
import type { Verbs } from './verbs.ts'

type Sent = Readonly<Record<string, unknown>>
type Route = (verbs: Verbs, sent: Sent) => Promise<unknown>

/** Everything that a test can do over HTTP, by method and path below /testing. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'POST /testing/advance': (verbs, { ms }) => verbs.advance(ms as number),
  'POST /testing/expire-queues': async (verbs) => ({ queues: await verbs.expireQueues() }),
  'POST /testing/fail-next': (verbs, failure) => verbs.failNext(failure as Failure),
  'POST /testing/limit-rates': (verbs, { calls_a_minute: calls }) => verbs.limitRates(calls as number | null),
  'POST /testing/pause-events': (verbs) => verbs.pauseEvents(),
  'POST /testing/resume-events': (verbs) => verbs.resumeEvents(),
  'POST /testing/restart': (verbs) => verbs.restart(),
  'POST /testing/snapshot': (verbs) => verbs.snapshot(),
  'POST /testing/reset': (verbs) => verbs.reset(),
  'POST /testing/users': (verbs, { full_name: name }) => verbs.newUser(text(name, 'full_name')),
  'GET /testing/requests': async (verbs) => ({ requests: await verbs.requests() }),
  'GET /testing/mistakes': async (verbs) => ({ mistakes: await verbs.mistakes() }),
}

/** Answers what is for the stand-in itself. @returns whether it was */
export function control(verbs: Verbs, request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (!/^\/testing(\/|$)/.test(pathname)) return false
  respond(verbs, pathname, request).then(
    (fields) =>
      send(response, 200, `${JSON.stringify({ result: 'success', msg: '', ...(fields as object | undefined) })}\n`),
    (err: unknown) => {
      const refusal = err instanceof RangeError ? new BadRequestError(err.message) : err
      if (refusal instanceof BadRequestError) send(response, refusal.status, errorBody(refusal))
      // For whoever writes the test: nobody else is here.
      else
        send(
          response,
          500,
          errorBody(Object.assign(new BadRequestError(String(err)), { code: 'INTERNAL_SERVER_ERROR' })),
        )
    },
  )
  return true
}

async function respond(verbs: Verbs, pathname: string, request: IncomingMessage): Promise<unknown> {
  refuseWebPages(request)
  const { method = '' } = request
  const route = ROUTES[`${method} ${pathname}`]
  if (route) return route(verbs, await sentWith(request))
  const methods = Object.keys(ROUTES).flatMap((name) =>
    name.endsWith(` ${pathname}`) ? [name.split(' ')[0] ?? ''] : [],
  )
  throw methods.length === 0 ? new UnknownUrlError() : new MethodNotAllowedError(methods)
}

/** Pages of anywhere can send requests to this machine, and with a name of their own for it read the answers, too. */
function refuseWebPages({ headers }: IncomingMessage): void {
  const host = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '')
  if (headers.origin === undefined && host !== undefined && isLoopback(host)) return
  throw new BadRequestError('Only programs on this machine that name it by a loopback address may ask')
}

async function sentWith(request: IncomingMessage): Promise<Sent> {
  if (!request.headers['content-length'] && !request.headers['transfer-encoding']) return {}
  if (request.headers['content-length'] === '0') return {}
  const body: unknown = await json(request).catch(() => undefined)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadRequestError('The body is a JSON object')
  }
  return body as Sent
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new BadRequestError(`${name} is a text`)
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
