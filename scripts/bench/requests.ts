import { setImmediate } from 'node:timers/promises'
import { ApiClient, accountsOf, basic } from '../../server/testing.ts'
import { demoCredentials, type Running, type StartedServer, startTask } from './processes.ts'
import { type Floor, type Scenario, spread, type Target } from './results.ts'
import { processorUs } from './usage.ts'
import { type Load, type LuaRequest, load, luaScript } from './wrk.ts'

export interface Timing {
  readonly seconds: number
  readonly rounds: number
}

const CONNECTIONS = 16
/** Read often, so it is in every cache: the server is measured, not the disk. */
const MESSAGE_PATH = '/api/v1/messages/'
export const NEWEST = '/api/v1/messages?anchor=newest&num_before=100&num_after=0'
const WORDS = 'Parley sends this message of two hundred characters, again and again. '
const CONTENT = WORDS.repeat(3).slice(0, 200)

/** An answer to POST /messages. */
export const SENT = `${JSON.stringify({ result: 'success', msg: '', id: 123_456 })}\n`

/** A server with an organization, and 16 members besides the demo accounts. */
export interface Workload {
  readonly server: StartedServer
  readonly reader: ApiClient
  readonly senders: readonly ApiClient[]
  /** A message the reader received. */
  readonly messageId: number
  /** Has ten topics; the reader is subscribed to 20 more channels. */
  readonly channelId: number
}

/** Adds to the demo organization that the server has made in its data folder. */
export async function prepareWorkload(server: StartedServer, dataFolder: string): Promise<Workload> {
  const as = accountsOf(server.url, await demoCredentials(dataFolder))
  const owner = as('owner')
  const senders: ApiClient[] = []
  for (let count = 1; count <= CONNECTIONS; count += 1) {
    const [email, password] = [`sender-${count}@parley.example`, 'correct horse battery']
    await owner.must('POST', '/users', { email, password, full_name: `Sender ${count}` })
    const login = await owner.must('POST', '/fetch_api_key', { username: email, password })
    const sender = new ApiClient(server.url, login)
    await sender.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
    senders.push(sender)
  }
  let messageId = 0
  for (let count = 0; count < 100; count += 1) {
    const sender = senders[count % CONNECTIONS] as ApiClient
    const sent = { type: 'channel', to: 'general', topic: `topic ${count % 10}`, content: CONTENT }
    messageId = (await sender.must('POST', '/messages', sent)).id
  }
  const reader = as('member')
  const followed = Array.from({ length: 20 }, (_, index) => ({ name: `followed ${index + 1}` }))
  await reader.must('POST', '/users/me/subscriptions', { subscriptions: followed })
  const { stream_id: channelId } = await reader.must('GET', '/get_stream_id?stream=general')
  return { server, reader, senders, messageId, channelId }
}

/**
 * Measures GET of one message, of the newest 100, of the caller's subscriptions and of a channel's topics, against
 * node:http and Koa with the same body.
 */
export async function measureReads(work: Workload, folder: string, timing: Timing): Promise<Scenario[]> {
  const reads: readonly (readonly [name: string, path: string])[] = [
    ['GET /messages/{id}', MESSAGE_PATH + work.messageId],
    ['GET /messages, newest 100', NEWEST],
    ['GET /users/me/subscriptions, 21 channels', '/api/v1/users/me/subscriptions'],
    ['GET /users/me/{stream_id}/topics, 10 topics', `/api/v1/users/me/${work.channelId}/topics`],
  ]
  const scenarios: Scenario[] = []
  for (const [name, path] of reads) {
    const request: LuaRequest = { method: 'GET', path, headers: authorization(work.reader) }
    const body = await bodyOf(work.server, request)
    scenarios.push(await measure({ name, server: work.server, requests: [request], body, folder, timing }))
  }
  return scenarios
}

/** Measures POST of a message by 16 senders, each with its own account. */
export async function measureSends(
  work: Workload,
  synchronous: 'FULL' | 'NORMAL',
  folder: string,
  timing: Timing,
): Promise<Scenario> {
  const name = `POST /messages, ${synchronous}, 16 senders, 200 characters`
  return measure({ name, server: work.server, requests: sendsOf(work), body: SENT, folder, timing })
}

interface Measurement {
  readonly name: string
  readonly server: StartedServer
  readonly requests: readonly LuaRequest[]
  /** The floors' answer. */
  readonly body: string
  readonly folder: string
  readonly timing: Timing
}

/** Each round measures every target in turn, so that other work on the machine affects all of them. */
async function measure({ name, server, requests, body, folder, timing }: Measurement): Promise<Scenario> {
  const script = await luaScript(folder, name.replaceAll(/\W+/g, '-'), requests)
  const bareHttp = await startTask('bare-http', { body })
  const bareKoa = await startTask('bare-koa', { body })
  const targets = [server, bareHttp, bareKoa].map((running) => ({ running, loads: [] as Load[], processorUs: 0 }))
  try {
    for (let round = 0; round <= timing.rounds; round += 1) {
      for (const target of targets) {
        const before = processorUs(target.running)
        const seen = await load({ url: target.running.url, connections: CONNECTIONS, seconds: timing.seconds, script })
        // The first round is a warm-up.
        if (round === 0) continue
        target.loads.push(seen)
        target.processorUs += (processorUs(target.running) ?? Number.NaN) - (before ?? Number.NaN)
        // Lets the target finish work from the last requests before the next one is measured.
        await setImmediate()
      }
    }
  } finally {
    await bareHttp.stop()
    await bareKoa.stop()
  }
  const [parley = [], http = [], koa = []] = targets.map(({ loads }) => loads)
  const target = targetOf(parley, targets[0]?.processorUs ?? Number.NaN)
  const floors = [floorOf('bare node:http', parley, http), floorOf('bare Koa', parley, koa)]
  return { name, connections: CONNECTIONS, parley: target, floors }
}

function targetOf(loads: readonly Load[], processor: number): Target {
  const perSecond = spread(loads.map((one) => one.perSecond))
  const middle = loads.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(loads.length / 2)]
  const requests = loads.reduce((sum, one) => sum + one.requests, 0)
  return {
    perSecond,
    p50Ms: middle?.p50Ms ?? Number.NaN,
    p99Ms: middle?.p99Ms ?? Number.NaN,
    processorUs: Number.isFinite(processor) ? processor / requests : undefined,
  }
}

function floorOf(name: string, parley: readonly Load[], floor: readonly Load[]): Floor {
  return {
    name,
    perSecond: spread(floor.map((one) => one.perSecond)).median,
    ratio: spread(parley.map((one, round) => one.perSecond / (floor[round]?.perSecond ?? Number.NaN))).median,
  }
}

/** A send of each sender. */
export function sendsOf({ senders }: Workload): LuaRequest[] {
  return senders.map((sender) => ({ method: 'POST', path: '/api/v1/messages', ...sendForm(sender) }))
}

export function authorization({ email, apiKey }: ApiClient): { Authorization: string } {
  return { Authorization: basic(email, apiKey) }
}

export function sendForm(sender: ApiClient): {
  headers: Record<string, string> & { Authorization: string }
  body: string
} {
  const form = new URLSearchParams({ type: 'channel', to: 'general', topic: 'bench', content: CONTENT })
  return {
    headers: { ...authorization(sender), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  }
}

export async function bodyOf({ url }: Running, { path, headers }: LuaRequest): Promise<string> {
  const response = await fetch(url + path, { headers })
  if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`)
  return response.text()
}
