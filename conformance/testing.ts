import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { readCredentials } from './deployment/credentials.ts'
import type { PushRelay } from './deployment/push-relay.ts'
import { aboutServer, HOP_BY_HOP, type Mutate } from './mutants/trace-testing.ts'
import type { Login } from './wire/http.ts'
import { jsonIn } from './wire/json.ts'
import { answerTo, type Encoded, encoded, type Send } from './wire/node-sender.ts'

/** An answer on its way back from the server. */
export interface PassingAnswer {
  status: number
  readonly headers: Headers
  /** JSON of the answer. A fault may change it, and the client gets the result. */
  // biome-ignore lint/suspicious/noExplicitAny: faults reach into answers of every shape
  body: any
}

/** Gets the answer to a request. */
type Ask = (url: string, asked: Encoded) => Promise<PassingAnswer>

export interface StartedServer {
  readonly url: string
  readonly logins: readonly Login[]
  readonly credentialsFile: string
  /** Where the server has its push service, if it has {@link PUSH_RELAY_OF_RUN}. */
  readonly pushRelay?: PushRelay
}

/** Settings of a server whose push service is the run itself. It fails now and then, which is logged. */
export const PUSH_RELAY_OF_RUN: Readonly<Record<string, string>> = {
  PARLEY_PUSH_RELAY_URL: 'the run',
  PARLEY_LOG_LEVEL: 'fatal',
}

export function settingsOf(folder: string): Record<string, string> {
  return { PORT: '0', PARLEY_RATE_LIMITS: 'off', PARLEY_LOG_LEVEL: 'error', PARLEY_DATA: folder }
}

export function startedIn(folder: string, url: string): StartedServer {
  const credentialsFile = join(folder, 'demo-credentials.json')
  return { url, logins: readCredentials(credentialsFile).logins, credentialsFile }
}

export interface PassingRequest {
  readonly method: string
  /** Below `/api/v1`, without the query. */
  readonly path: string
  /** Parameters of query and form together. */
  readonly parameters: URLSearchParams
  readonly userAgent: string
  /** The header of that name; empty if there is none. */
  readonly authorization: string
}

export type Fault = (answer: PassingAnswer, request: PassingRequest) => void
/** A fault that sends requests of its own. */
export type SlowFault = (answer: PassingAnswer, request: PassingRequest) => Promise<void>

/** A request in the proxy before it is passed on. The server gets what is changed here. */
export interface PassingOn {
  readonly method: string
  readonly url: URL
  /** Parameters of a URL-encoded form; empty for other bodies, which pass unchanged. */
  readonly form: URLSearchParams
}

/** One thing that a server does wrong, and the checks that find it. */
export interface SeededFault {
  /** What the server does wrong. */
  readonly name: string
  /** Checks that are run against it. */
  readonly only: string
  /** Checks that run beside them, so that a witness has something to see. */
  readonly alongside?: readonly string[]
  /** Requirements that are then found violated. */
  readonly violates: readonly string[]
  /** Whether the checks need users of their own, which takes longer; otherwise they use the given ones. */
  readonly needsUsers?: boolean
  /** Settings of a server without which the checks cannot run, or take too long. */
  readonly settings?: Readonly<Record<string, string>>
  readonly fault: Fault | SlowFault
  /** Changes a request before the server gets it. */
  readonly before?: (request: PassingOn) => void
}

/** A server that answers like the one at `target`, except for `fault`, to requests that `before` may have changed. */
export async function faultyProxy(
  target: string,
  fault: Fault | SlowFault,
  before?: SeededFault['before'],
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    void readWhole(incoming)
      .then((sent) => passOn(target, sent, fault, before))
      .then(
        ({ status, headers, body }) => {
          headers.forEach((value, name) => {
            outgoing.setHeader(name, value)
          })
          outgoing.writeHead(status)
          outgoing.end(textOf(body))
        },
        (err: unknown) => {
          outgoing.writeHead(502)
          outgoing.end(String(err))
        },
      )
  })
  return listening(server)
}

/** Starts a server at a free port of this machine. */
export async function listening(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * Like `faultyProxy`, for a run in this process, without a proxy, which takes half of the time. Treats requests and
 * answers as the proxy does.
 */
export function faultySender(target: string, fault: Fault | SlowFault, before?: SeededFault['before']): Send {
  let hasOpened = false
  return async (url, init) => {
    const { method, headers, content, signal } = await encoded(init)
    const request = { method, path: url.slice(target.length), headers, content }
    const isOpening = request.path === DOCUMENT && !hasOpened
    hasOpened ||= isOpening
    const ask: Ask = isOpening ? () => openingOf(target) : (url, asked) => answerOf(url, { ...asked, signal })
    try {
      const answer = await passOn(target, request, fault, before, ask)
      return { status: answer.status, headers: answer.headers, text: async () => textOf(answer.body) }
    } catch (err) {
      if (signal?.aborted) throw err
      return { status: 502, headers: new Headers(), text: async () => String(err) }
    }
  }
}

/** Like `faultyProxy`, for recorded answers. */
export function faultyAnswers(fault: Fault | SlowFault): Mutate {
  return async ({ status, headers, text, body }, _, url, { method, headers: sent, content }) => {
    const passing = { status, headers: new Headers(headers), body: body === undefined ? text : structuredClone(body) }
    await fault(passing, passingRequest(new URL(url), { method, headers: sent, content }))
    return { status: passing.status, headers: passing.headers, text: textOf(passing.body) }
  }
}

function formIn({ headers: { 'content-type': type }, content }: Pick<Sent, 'headers' | 'content'>): URLSearchParams {
  return new URLSearchParams(type?.includes('urlencoded') ? content.toString('utf8') : '')
}

function passingRequest(url: URL, sent: Pick<Sent, 'method' | 'headers' | 'content'>): PassingRequest {
  return {
    method: sent.method,
    path: url.pathname.replace('/api/v1', ''),
    parameters: new URLSearchParams([...url.searchParams, ...formIn(sent)]),
    userAgent: sent.headers['user-agent'] ?? '',
    authorization: sent.headers.authorization ?? '',
  }
}

/** A request as it came, before it is passed on. */
interface Sent {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly content: Buffer
}

async function readWhole(incoming: IncomingMessage): Promise<Sent> {
  const { method = 'GET', url: path = '/', headers } = incoming
  return { method, path, headers, content: await buffer(incoming) }
}

async function passOn(
  target: string,
  sentOn: Sent,
  fault: Fault | SlowFault,
  before: SeededFault['before'],
  ask: Ask = answerOf,
): Promise<PassingAnswer> {
  const { method, path, headers: sent, content } = sentOn
  const { authorization, 'content-type': type, range, 'user-agent': userAgent } = sent
  const url = new URL(path, target)
  const form = formIn(sentOn)
  const request = passingRequest(url, sentOn)
  const [query, body] = [`${url.pathname}?${url.searchParams}`, `${form}`]
  before?.({ method, url, form })
  // Unchanged parts are passed on byte for byte; a request without a body may get a form.
  const bodyType = type ?? (`${form}` === '' ? undefined : 'application/x-www-form-urlencoded')
  const isAsked = `${url.pathname}?${url.searchParams}` === query
  const answer = await ask(isAsked ? `${target}${path}` : url.href, {
    method,
    headers: {
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...(authorization !== undefined && { authorization }),
      ...(bodyType !== undefined && { 'content-type': bodyType }),
      ...(range !== undefined && { range }),
    },
    content: `${form}` === body ? content : Buffer.from(`${form}`),
  })
  const hadEvents = answer.body?.events?.length > 0
  await fault(answer, request)
  // A client that polls for events and gets none polls again at once, so with a fault that keeps events back it polls
  // all the time.
  if (hadEvents && answer.body?.events?.length === 0) await delay(EMPTY_POLL_MS)
  return answer
}

const EMPTY_POLL_MS = 100

const DOCUMENT = '/api/v1/openapi.json'
const openings = new Map<string, Promise<PassingAnswer>>()

/**
 * Each run begins by asking the server who it is, with an answer of half a megabyte. Runs against one server share the
 * part of it that says who answers.
 */
async function openingOf(target: string): Promise<PassingAnswer> {
  const known =
    openings.get(target) ?? answerOf(`${target}${DOCUMENT}`, { method: 'GET', headers: {}, content: Buffer.alloc(0) })
  openings.set(target, known)
  const { status, headers, body } = await known
  return { status, headers: new Headers(headers), body: aboutServer(body) }
}

async function answerOf(url: string, asked: Encoded): Promise<PassingAnswer> {
  const { status, headers, text } = await answerTo(url, asked)
  for (const name of HOP_BY_HOP) headers.delete(name)
  const all = await text()
  return { status, headers, body: jsonIn(all) ?? all }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}
