import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { Database, type DatabaseLocation } from '../../db/database.ts'
import type { Tx } from '../../db/repositories.ts'
import { insertRows, multiplyTopic, userRows } from '../../db/rows-testing.ts'
import { systemClock } from '../../domain/clock.ts'
import type { DemoCredentials } from '../../server/first-start.ts'
import { ApiClient } from '../../server/testing.ts'
import { WatchedServer } from './loop/watched-server.ts'
import { onMariaDb, startServer } from './processes.ts'
import { table, whole } from './report.ts'
import { type Spread, spread } from './results.ts'
import { processorUs } from './usage.ts'

const MESSAGES = 10_000
/** Messages sent through the API; the rest are copies of these. */
const SENT = 100
/** Subscribers of the old channel only. */
const FOLLOWERS = 100
/** Twice there and back. */
const TIMES = 4

const LONGEST_HOLD_MS = 20
const LONGEST_WAIT_MS = 200

interface MoveFigure {
  readonly name: string
  /**
   * Blocks of the event loop in milliseconds: the longest of each move, and the processor time of the longest of all.
   */
  readonly holdMs: Spread
  readonly processorMs: number
  /** Waiting times of another writer. */
  readonly waitMs: Spread
  readonly wholeMs: Spread
  /** Processor time of server and database for one move: its duration on an otherwise idle machine. */
  readonly processorWholeMs: number
}

interface Ground {
  readonly dataFolder: string
  readonly environment: Readonly<Record<string, string>>
  readonly location: DatabaseLocation
}

/** Source and target of a move. */
interface Way {
  readonly name: string
  readonly places: readonly [object, object]
}

/** Measures the effect of moving 10,000 messages on others, on each database. */
export async function measureMoves(folder: string, say: (what: string) => void): Promise<MoveFigure[]> {
  const dataFolder = join(folder, 'sqlite')
  const file = join(dataFolder, 'parley.sqlite')
  const location = { kind: 'sqlite', file, synchronous: 'FULL' } as const
  const figures = await measureOn('SQLite', { dataFolder, environment: {}, location }, say)
  return onMariaDb(async (url) => {
    const ground: Ground = {
      dataFolder: join(folder, 'mariadb'),
      environment: { DATABASE_URL: url },
      location: { kind: 'mariadb', url, isExclusive: true },
    }
    return [...figures, ...(await measureOn('MariaDB', ground, say))]
  })
}

async function measureOn(database: string, ground: Ground, say: (what: string) => void): Promise<MoveFigure[]> {
  say(`${database}: ${whole(MESSAGES)} messages`)
  const { messageId, ways } = await prepare(ground)
  const blocks = new Map(ways.map(({ name }) => [name, { turns: [] as number[], processor: [] as number[] }]))
  const watched = await WatchedServer.start(ground.dataFolder, ground.environment)
  const client = await clients(ground, watched.url)
  for (const { name, places } of ways) {
    say(`${database}: ${name}, watched`)
    for (let turn = 0; turn < TIMES; turn += 1) {
      await watched.blocks()
      await move(client('owner'), messageId, places[turn % 2] ?? {})
      const [worst] = (await watched.blocks()).toSorted((a, b) => b.turnMs - a.turnMs)
      blocks.get(name)?.turns.push(worst?.turnMs ?? 0)
      blocks.get(name)?.processor.push(worst?.processorMs ?? 0)
    }
  }
  await watched.stop()
  const server = await startServer(ground)
  const figures: MoveFigure[] = []
  for (const { name, places } of ways) {
    say(`${database}: ${name}`)
    const { turns = [], processor = [] } = blocks.get(name) ?? {}
    const as = await clients(ground, server.url)
    const processes = [server, ...(await databaseProcess(ground))]
    const usedUs = () => processes.reduce((sum, one) => sum + (processorUs(one) ?? Number.NaN), 0)
    const before = usedUs()
    for (const place of places) await move(as('owner'), messageId, place)
    const processorWholeMs = (usedUs() - before) / 1000 / places.length
    const { waits, wholes } = await waitsFor(as, messageId, places)
    figures.push({
      name: `${database}, ${name}`,
      ...{ holdMs: spread(turns), processorMs: Math.max(...processor) },
      ...{ waitMs: spread(waits), wholeMs: spread(wholes) },
      processorWholeMs,
    })
  }
  await server.stop()
  return figures
}

/** MariaDB's process; SQLite is part of the server's. */
async function databaseProcess({ location }: Ground): Promise<{ child: { pid: number } }[]> {
  if (location.kind !== 'mariadb') return []
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(location.url)
  const [[row]] = await connection.query<RowDataPacket[]>('select @@pid_file as file')
  await connection.end()
  return [{ child: { pid: Number(await readFile(row?.file, 'utf8')) } }]
}

async function waitsFor(
  as: (key: string) => ApiClient,
  messageId: number,
  places: readonly [object, object],
): Promise<{ waits: number[]; wholes: number[] }> {
  const [waits, wholes]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < TIMES; turn += 1) {
    let isMoved = false
    const start = performance.now()
    const moving = move(as('owner'), messageId, places[turn % 2] ?? {}).then(() => {
      isMoved = true
      return performance.now() - start
    })
    let longest = 0
    while (!isMoved) {
      const since = performance.now()
      await as('member').must('POST', '/messages', { type: 'channel', to: 'general', topic: 'meanwhile', content: 'x' })
      longest = Math.max(longest, performance.now() - since)
    }
    wholes.push(await moving)
    waits.push(longest)
  }
  return { waits, wholes }
}

async function move(mover: ApiClient, messageId: number, place: object): Promise<void> {
  await mover.must('PATCH', `/messages/${messageId}`, { ...place, propagate_mode: 'change_all' })
}

async function clients({ dataFolder }: Ground, url: string): Promise<(key: string) => ApiClient> {
  const text = await readFile(join(dataFolder, 'demo-credentials.json'), 'utf8')
  const { users } = JSON.parse(text) as DemoCredentials
  return (key) => {
    const login = users[key]
    if (!login) throw new Error(`the demo organization has no ${key}`)
    return new ApiClient(url, login)
  }
}

async function prepare(ground: Ground): Promise<{ messageId: number; ways: readonly Way[] }> {
  const server = await startServer(ground)
  const as = await clients(ground, server.url)
  const owner = as('owner')
  const channel = async (name: string): Promise<number> => {
    const principals = ['owner', 'member2'].map((key) => as(key).userId)
    await owner.must('POST', '/users/me/subscriptions', {
      ...{ subscriptions: [{ name }], principals },
      ...{ invite_only: true, history_public_to_subscribers: true },
    })
    return (await owner.must('GET', '/get_stream_id', { stream: name })).stream_id
  }
  const [from, to] = [await channel('From'), await channel('To')]
  for (let left = SENT; left > 0; left -= 1) {
    const content = `Message ${left}, as long as messages are.`
    await as('member2').must('POST', '/messages', { type: 'channel', to: 'From', topic: 'here', content })
  }
  await server.stop()
  const db = await Database.open(ground.location, systemClock)
  const ids = await db.transaction(async (tx) => {
    await addFollowers(tx, from)
    return multiplyTopic(tx, { channelId: from, topic: 'here' }, MESSAGES)
  })
  await db.close()
  const ways: readonly Way[] = [
    { name: 'to another topic', places: [{ topic: 'there' }, { topic: 'here' }] },
    { name: 'to another channel, and back', places: [{ stream_id: to }, { stream_id: from }] },
  ]
  return { messageId: ids[0] ?? 0, ways }
}

async function addFollowers(tx: Tx, channelId: number): Promise<void> {
  const ids = Array.from({ length: FOLLOWERS }, (_, index) => 1000 + index)
  await insertRows(tx, 'user', userRows(ids))
  await insertRows(
    tx,
    'subscription',
    ids.map((id) => ({
      ...{ user_id: id, channel_id: channelId, is_active: true },
      ...{ color: '#76ce90', is_muted: false, pin_to_top: false },
    })),
  )
  await insertRows(
    tx,
    'subscription_span',
    ids.map((id) => ({ user_id: id, channel_id: channelId, after_message_id: 0, after_event_id: 0 })),
  )
}

export function moveReportOf(figures: readonly MoveFigure[], machine: string): string {
  const range = ({ min, median, max }: Spread): string => `${whole(min)} / ${whole(median)} / ${whole(max)} ms`
  const reached = (isReached: boolean): string => (isReached ? 'reached' : '**missed**')
  const rows = figures.map(({ name, holdMs, processorMs, waitMs, wholeMs, processorWholeMs }) => [
    name,
    `${range(holdMs)}, ${whole(processorMs)} ms of the processor`,
    reached(holdMs.median <= LONGEST_HOLD_MS),
    range(waitMs),
    reached(waitMs.median <= LONGEST_WAIT_MS),
    range(wholeMs),
    `${whole(processorWholeMs)} ms`,
  ])
  const head = ['10,000 messages', 'longest hold', `≤ ${LONGEST_HOLD_MS} ms`, 'longest wait of a writer']
  return `${new Date().toISOString().slice(0, 10)}, ${machine}. Min / median / max.

${table([...head, `≤ ${LONGEST_WAIT_MS} ms`, 'whole call', 'processor time'], rows)}
`
}
