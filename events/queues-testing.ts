import assert from 'node:assert/strict'
import { Database } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import { plainUser } from '../db/rows-testing.ts'
import { UNLIMITED } from '../domain/allowance.ts'
import type { Clock } from '../domain/clock.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { ChannelId, EventId, UserId } from '../domain/ids.ts'
import { JsonPieces } from '../domain/json-pieces.ts'
import { ROLE } from '../domain/users/roles.ts'
import { writeAs } from '../permissions/write.ts'
import { type Dialect, migratedDatabase } from '../server/testing.ts'
import { ParkedPoll } from './parked-poll.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'
import { EventQueues, type QueueOwner } from './queues.ts'

export const VIEWER = { id: 1 as UserId, role: ROLE.member, keyVersion: 1 }
export const OTHER = { id: 2 as UserId, role: ROLE.member, keyVersion: 1 }
export const CHANNEL = 1 as ChannelId
export const IDLE_SECONDS = 600
/** Time by which a queue ends later, with heartbeats every 45 s, because other processes store polls with a delay. */
export const LATE_SECONDS = 60 + 45
/** Initial time of the clock of each test, in UNIX seconds. */
export const START_SECONDS = 1_767_225_600
const TEST_SITE = { publicUrl: 'https://parley.example', wireValues: 'contract' } as const
export const PLAIN: QueueDescriptor = {
  eventTypes: null,
  narrow: [],
  allPublicChannels: false,
  applyMarkdown: true,
  clientGravatar: false,
  capabilities: {},
}

export interface Seen {
  readonly id: number
  readonly type: string
  readonly user_ids?: readonly number[]
}

function eventsOf(fields: string): Seen[] {
  return JSON.parse(`{${fields}}`).events
}

export function answeredNow(result: JsonPieces | ParkedPoll): Seen[] {
  assert(result instanceof JsonPieces, 'answered at once')
  return eventsOf(String(result.short))
}

/** The events of a poll that has to wait for them. */
export function answeredLater(result: JsonPieces | ParkedPoll): Promise<Seen[]> {
  assert(result instanceof ParkedPoll, 'parked')
  assert.equal(result.isOver, false)
  return new Promise((resolve) => result.whenAnswered((fields) => resolve(eventsOf(String(fields)))))
}

/** Polls until the queue is empty, and acknowledges each answer with the next poll. Returns the answers. */
export async function drain(queues: EventQueues, id: string): Promise<Seen[][]> {
  const parts: Seen[][] = []
  for (;;) {
    const part = answeredNow(await queues.poll(VIEWER, id, parts.at(-1)?.at(-1)?.id, false))
    if (part.length === 0) return parts
    parts.push(part)
  }
}

/** Registers a queue whose client got the state at this position. */
export async function startingAt(
  queues: EventQueues,
  owner: QueueOwner,
  descriptor: QueueDescriptor,
  eventId: EventId,
): Promise<string> {
  return (await queues.register(owner, descriptor, async () => ({ eventId }), IDLE_SECONDS)).queueId
}

export const idsOf = (events: readonly Seen[]): number[] => events.map((event) => event.id)

/** Appends an event that carries `number`. */
export function append(tx: Tx, number: number, audience: Audience = { to: 'users', userIds: [VIEWER.id] }): void {
  tx.events.append({ type: 'subscription', op: 'peer_add', stream_ids: [CHANNEL], user_ids: [number] }, audience)
}

/** Sets up queues over a separate database, with a clock that the test moves. */
export async function beginQueues(dialect: Dialect, t: { after(f: () => Promise<void>): void }, heartbeatSeconds = 45) {
  const { location, remove } = await migratedDatabase(dialect)
  let now = START_SECONDS * 1000
  let elapsed = 0
  const clock: Clock = { now: () => now, monotonic: () => elapsed }
  const db = await Database.open(location, clock)
  await db.transaction(async (tx) => {
    for (const { id, role } of [VIEWER, OTHER]) await tx.users.insert({ ...plainUser(`user${id}`), id, role })
    await tx.channels.insert({
      name: 'a',
      description: '',
      renderedDescription: '',
      creatorId: null,
      createdAt: 0,
      inviteOnly: true,
      historyPublicToSubscribers: false,
      messageRetentionDays: null,
      topicsPolicy: 'inherit',
    })
  })
  const started: EventQueues[] = []
  const start = async (onError = (err: unknown): void => assert.fail(err as Error)): Promise<EventQueues> => {
    const queues = new EventQueues(db, clock, { baseSeconds: heartbeatSeconds, spreadSeconds: 0 }, TEST_SITE)
    started.push(queues)
    await queues.start(onError)
    return queues
  }
  t.after(async () => {
    for (const queues of started) await queues.stop()
    await db.close()
    await remove()
  })
  const add = async (...numbers: number[]) => {
    for (const number of numbers) await db.transaction(async (tx) => append(tx, number))
  }
  const head = async (): Promise<EventId> => (await db.read.events.head()).eventId
  const pass = (seconds: number): void => {
    now += seconds * 1000
    elapsed += seconds * 1000
  }
  /** Simulates a change of the system time, forward or back. */
  const setClock = (bySeconds: number): void => {
    now += bySeconds * 1000
  }
  const owner = (viewer = VIEWER): QueueOwner => ({
    userId: viewer.id,
    write: writeAs(db, viewer, () => undefined, UNLIMITED),
  })
  const register = async (queues: EventQueues, descriptor = PLAIN) =>
    startingAt(queues, owner(), descriptor, await head())
  return { db, start, add, head, pass, setClock, owner, register }
}
