import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { readCredentials } from './deployment/credentials.ts'
import { environmentWithoutSettings } from './environment-testing.ts'
import type { Login } from './wire/http.ts'

/** What the suite cannot do at any server; the list may only shrink. */
export const ALWAYS_LEFT_OUT = ['envelope/hostile/deactivate-own-user']
/**
 * What no deployment of Parley shows, as results say it: each waits for the operation that brings it (POST
 * /realm/filters, addresses that can be hidden, channels for the web). The list may only shrink.
 */
export const NOT_OBSERVABLE = [
  'MSG-FIELD-9: links are not observable here: no linkifier has an example',
  'MSG-FIELD-21: hidden addresses are not observable here: nobody may hide theirs',
  'SUB-FIELD-27: true is not observable here: no channel that the web can read is made',
]
/** What takes rate limits. */
export const LIMITED_ONLY = ['refusals/rate-limit']

export interface StartedServer {
  readonly url: string
  readonly logins: readonly Login[]
  readonly credentialsFile: string
}

/**
 * A Parley in a process of its own, from the first call on until the tests of the file have ended: the suite knows it
 * by its address and its credentials only.
 */
export function sharedServer(settings: Readonly<Record<string, string>> = {}): () => Promise<StartedServer> {
  let started: Promise<StartedServer> | undefined
  const stops: (() => Promise<void>)[] = []
  after(async () => {
    await started?.catch(() => undefined)
    for (const stop of stops.toReversed()) await stop()
  })
  return () => {
    started ??= start(settings, stops)
    return started
  }
}

async function start(
  settings: Readonly<Record<string, string>>,
  stops: (() => Promise<void>)[],
): Promise<StartedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'))
  stops.push(() => rm(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], {
    env: {
      ...environmentWithoutSettings(),
      PORT: '0',
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_LOG_LEVEL: 'error',
      PARLEY_DATA: folder,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  stops.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: string): void => {
      output += text
      const [, address] = /^Parley answers at (\S+)$/m.exec(output) ?? []
      if (address !== undefined) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    void ended.then(() => reject(new Error(`Parley ended before it answered:\n${output}`)))
  })
  const credentialsFile = join(folder, 'demo-credentials.json')
  return { url, logins: readCredentials(credentialsFile).logins, credentialsFile }
}

/** An answer on its way back through the proxy. */
export interface PassingAnswer {
  status: number
  readonly headers: Headers
  /** JSON of the answer; what a fault leaves here is what the client gets. */
  // biome-ignore lint/suspicious/noExplicitAny: faults reach into answers of every shape
  body: any
}

export interface PassingRequest {
  readonly method: string
  /** Below `/api/v1`, without the query. */
  readonly path: string
  /** Of query and form together. */
  readonly parameters: URLSearchParams
  readonly userAgent: string
  /** The header of that name; empty where there is none. */
  readonly authorization: string
}

export type Fault = (answer: PassingAnswer, request: PassingRequest) => void
/** A fault that takes requests of its own. */
export type SlowFault = (answer: PassingAnswer, request: PassingRequest) => Promise<void>

/** A request on its way through the proxy, before it is passed on; what is changed here is what the server gets. */
export interface PassingOn {
  readonly method: string
  readonly url: URL
  /** Of a URL-encoded form; empty for all others, which pass as they are. */
  readonly form: URLSearchParams
}

/** One thing that a server does wrong, and what finds it. */
export interface SeededFault {
  /** What the server does wrong. */
  readonly name: string
  /** Checks that are run against it. */
  readonly only: string
  /** What is run beside them, so that a witness has something to see. */
  readonly alongside?: readonly string[]
  /** Requirements that are then found violated. */
  readonly violates: readonly string[]
  /** Notes and own rules that are then found deviated from, in a strict run. */
  readonly deviates?: readonly string[]
  /** Whether the checks need users of their own, which takes longer; otherwise they use the given ones. */
  readonly needsUsers?: boolean
  /** Settings of a server without which the checks cannot be run, or take too long. */
  readonly settings?: Readonly<Record<string, string>>
  readonly fault: Fault | SlowFault
  /** What the server understands instead of what it is asked. */
  readonly before?: (request: PassingOn) => void
}

/** A server that answers like the one at `target`, but for `fault`, to requests that `before` may have changed. */
export async function faultyProxy(
  target: string,
  fault: Fault | SlowFault,
  before: (request: PassingOn) => void = () => {},
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    void passOn(target, incoming, fault, before).then(
      ({ status, headers, body }) => {
        headers.forEach((value, name) => {
          outgoing.setHeader(name, value)
        })
        outgoing.writeHead(status)
        outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
      },
      (err: unknown) => {
        outgoing.writeHead(502)
        outgoing.end(String(err))
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function passOn(
  target: string,
  incoming: IncomingMessage,
  fault: Fault | SlowFault,
  before: (request: PassingOn) => void,
): Promise<PassingAnswer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const sent = Buffer.concat(chunks)
  const { authorization, 'content-type': type, range } = incoming.headers
  const method = incoming.method ?? 'GET'
  const url = new URL(incoming.url ?? '/', target)
  const text = type?.includes('urlencoded') ? sent.toString('utf8') : ''
  const form = new URLSearchParams(text)
  const parameters = new URLSearchParams([...url.searchParams, ...form])
  const [query, body] = [`${url.searchParams}`, `${form}`]
  before({ method, url, form })
  // What is as it was is passed on to the byte.
  const isAsked = `${url.searchParams}` === query && url.pathname === new URL(incoming.url ?? '/', target).pathname
  const content = `${form}` === body ? sent : Buffer.from(`${form}`)
  const response = await fetch(isAsked ? `${target}${incoming.url}` : url, {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(type !== undefined && { 'content-type': type }),
      ...(range !== undefined && { range }),
    },
    ...(content.length > 0 && { body: content }),
  })
  const headers = new Headers(response.headers)
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding']) {
    headers.delete(name)
  }
  const answer = { status: response.status, headers, body: jsonOr(await response.text()) }
  const { pathname } = new URL(incoming.url ?? '/', target)
  const userAgent = incoming.headers['user-agent'] ?? ''
  const path = pathname.replace('/api/v1', '')
  await fault(answer, { method, path, parameters, userAgent, authorization: authorization ?? '' })
  return answer
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
