import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoCredentials } from '../../server/first-start.ts'
import { ApiClient } from '../../server/testing.ts'
import { type OrganizationSize, type SeededOrganization, seedOrganization, settleOrganization } from './organization.ts'
import { startServer } from './processes.ts'
import { type Spread, spread } from './results.ts'

/** One quantity grows while the others stay the same. */
export interface Growth {
  readonly quantity: string
  readonly sizes: readonly number[]
  /** By operation, in the order of `sizes`: milliseconds from the request to the last byte. */
  readonly operations: readonly { readonly name: string; readonly ms: readonly Spread[] }[]
}

const BASE: OrganizationSize = { messages: 10_000, channels: 200, subscribers: 100 }
const QUANTITIES: readonly { quantity: keyof OrganizationSize; sizes: readonly number[] }[] = [
  { quantity: 'messages', sizes: [10_000, 1_000_000] },
  { quantity: 'channels', sizes: [100, 10_000] },
  { quantity: 'subscribers', sizes: [10, 1000, 10_000] },
]
const WARM_UP = 5
const TIMES = 25

interface Bench {
  readonly reader: ApiClient
  readonly seeded: SeededOrganization
  /** Messages of the largest channel, newest first. */
  readonly recent: readonly number[]
}

type Operation = (bench: Bench, turn: number) => Promise<unknown>

const page = (narrow: readonly (readonly [string, string])[]): Operation => {
  const terms = narrow.map(([operator, operand]) => ({ operator, operand }))
  return ({ reader }) =>
    reader.must('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: terms })
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /messages': ({ reader, seeded }, turn) =>
    reader.must('POST', '/messages', {
      type: 'channel',
      to: seeded.crowdId,
      topic: seeded.topic,
      content: `Message ${turn}`,
    }),
  'GET /messages/{id}': ({ reader, recent }, turn) => reader.must('GET', `/messages/${recent[turn % recent.length]}`),
  'GET /messages, newest 100': page([]),
  'GET /messages, of a channel': page([['channel', 'Crowd']]),
  'GET /messages, of a topic': page([
    ['channel', 'Crowd'],
    ['topic', 'topic 0'],
  ]),
  'GET /messages, of a sender': page([['sender', 'seeded-0@parley.example']]),
  'GET /messages, unread': page([['is', 'unread']]),
  'GET /messages, found by a word': page([['search', 'word482']]),
  'GET /messages, first unread': ({ reader }) =>
    reader.must('GET', '/messages', { anchor: 'first_unread', num_before: 30, num_after: 30 }),
  'PATCH /messages/{id}': async ({ reader }, turn) => {
    const sent = { type: 'direct', to: [reader.userId], content: `First ${turn}` }
    const { id } = await reader.must('POST', '/messages', sent)
    await reader.must('PATCH', `/messages/${id}`, { content: `Second ${turn}` })
  },
  'POST and DELETE reactions': async ({ reader, recent }, turn) => {
    const path = `/messages/${recent[turn % recent.length]}/reactions`
    await reader.must('POST', path, { emoji_name: 'octopus' })
    await reader.must('DELETE', path, { emoji_name: 'octopus' })
  },
  'POST /messages/flags, 1 read': ({ reader, recent }, turn) =>
    reader.must('POST', '/messages/flags', { messages: [recent[turn % recent.length]], op: 'add', flag: 'read' }),
  'POST /messages/flags/narrow, 1,000 of a channel': ({ reader }, turn) =>
    reader.must('POST', '/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 1000,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: 'Crowd' }],
      op: turn % 2 === 0 ? 'add' : 'remove',
      flag: 'read',
    }),
  'POST /register, everything': ({ reader }) => registered(reader, undefined),
  'POST /register, unread messages': ({ reader }) => registered(reader, ['message', 'update_message_flags']),
  'GET topics of a channel': ({ reader, seeded }) => reader.must('GET', `/users/me/${seeded.crowdId}/topics`),
  'GET /users/me/subscriptions': ({ reader }) => reader.must('GET', '/users/me/subscriptions'),
  'PATCH /users/me/subscriptions/{stream_id}': ({ reader, seeded }, turn) =>
    reader.must('PATCH', `/users/me/subscriptions/${seeded.crowdId}`, {
      property: 'pin_to_top',
      value: turn % 2 === 0,
    }),
  'unsubscribe and subscribe': async ({ reader, seeded }) => {
    await reader.must('DELETE', '/users/me/subscriptions', { subscriptions: [seeded.crowd] })
    await reader.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: seeded.crowd }] })
  },
  'POST /user_topics': ({ reader, seeded }, turn) =>
    reader.must('POST', '/user_topics', {
      stream_id: seeded.crowdId,
      topic: `topic ${turn}`,
      visibility_policy: turn % 4,
    }),
  'POST /users/me/presence': ({ reader }) =>
    reader.must('POST', '/users/me/presence', { status: 'active', last_update_id: -1 }),
}

async function registered(reader: ApiClient, types: readonly string[] | undefined): Promise<void> {
  const { queue_id } = await reader.must('POST', '/register', {
    event_types: ['message'],
    fetch_event_types: types ?? null,
  })
  await reader.must('DELETE', '/events', { queue_id })
}

/** Measures every operation, one request at a time, in organizations of different sizes. */
export async function measureGrowth(folder: string, say: (what: string) => void): Promise<Growth[]> {
  const grown: Growth[] = []
  for (const { quantity, sizes } of QUANTITIES) {
    const columns: Map<string, Spread>[] = []
    for (const size of sizes) {
      say(`${size.toLocaleString('en')} ${quantity}`)
      columns.push(await measureSize(join(folder, `${quantity}-${size}`), { ...BASE, [quantity]: size }))
    }
    const operations = Object.keys(OPERATIONS).map((name) => ({
      name,
      ms: columns.flatMap((column) => column.get(name) ?? []),
    }))
    grown.push({ quantity, sizes, operations })
  }
  return grown
}

async function measureSize(dataFolder: string, size: OrganizationSize): Promise<Map<string, Spread>> {
  const first = await startServer({ dataFolder })
  await first.stop()
  const credentials = JSON.parse(await readFile(join(dataFolder, 'demo-credentials.json'), 'utf8')) as DemoCredentials
  const login = credentials.users.member
  if (!login) throw new Error('the demo organization has no member')
  const file = join(dataFolder, 'parley.sqlite')
  const seeded = seedOrganization(file, [login.user_id], size)
  await settleOrganization(file)
  const server = await startServer({ dataFolder })
  try {
    const reader = new ApiClient(server.url, login)
    const narrow = [{ operator: 'channel', operand: seeded.crowd }]
    const range = { anchor: 'newest', num_before: 50, num_after: 0, narrow }
    const { messages } = await reader.must('GET', '/messages', range)
    const recent = messages.map(({ id }: { id: number }) => id).reverse()
    const measured = new Map<string, Spread>()
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      measured.set(name, await timed((turn) => operation({ reader, seeded, recent }, turn)))
    }
    return measured
  } finally {
    await server.stop()
  }
}

async function timed(once: (turn: number) => Promise<unknown>): Promise<Spread> {
  const times: number[] = []
  for (let turn = 0; turn < WARM_UP + TIMES; turn += 1) {
    const start = performance.now()
    await once(turn)
    if (turn >= WARM_UP) times.push(performance.now() - start)
  }
  return spread(times)
}
