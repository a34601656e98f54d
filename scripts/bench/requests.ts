import { ApiClient, accountsOf, basic } from '../../server/testing.ts'
import { demoCredentials, type Running, type StartedServer, startBareServer } from './processes.ts'
import { type Scenario, spread } from './results.ts'
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
 * Measures GET of one message, of the newest 100, of the caller's subscriptions and of a channel's topics, against bare
 * node:http with the same body.
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
  const name = `POST /messages, ${synchronous}`
  return measure({ name, server: work.server, requests: sendsOf(work), body: SENT, folder, timing })
}

interface Measurement {
  readonly name: string
  readonly server: StartedServer
  readonly requests: readonly LuaRequest[]
  /** The floor's answer. */
  readonly body: string
  readonly folder: string
  readonly timing: Timing
}

/** Each round measures the server and its floor in turn, so that other work on the machine affects both. */
async function measure({ name, server, requests, body, folder, timing }: Measurement): Promise<Scenario> {
  const script = await luaScript(folder, name.replaceAll(/\W+/g, '-'), requests)
  const bare = await startBareServer({ body })
  const once = ({ url }: Running): Promise<Load> =>
    load({ url, connections: CONNECTIONS, seconds: timing.seconds, script })
  const [loads, floors]: [Load[], number[]] = [[], []]
  let processor = 0
  try {
    for (let round = 0; round <= timing.rounds; round += 1) {
      const before = processorUs(server)
      const found = await once(server)
      const used = processorUs(server) - before
      const floor = await once(bare)
      // The first round is a warm-up.
      if (round === 0) continue
      processor += used
      loads.push(found)
      floors.push(floor.perSecond)
    }
  } finally {
    await bare.stop()
  }
  const middle = loads.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(loads.length / 2)]
  return {
    name,
    perSecond: spread(loads.map(({ perSecond }) => perSecond)),
    p50Ms: middle?.p50Ms ?? Number.NaN,
    p99Ms: middle?.p99Ms ?? Number.NaN,
    processorUs: processor / loads.reduce((sum, one) => sum + one.requests, 0),
    floor: spread(floors).median,
    ratio: spread(loads.map(({ perSecond }, round) => perSecond / (floors[round] ?? Number.NaN))).median,
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
