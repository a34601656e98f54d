import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Database } from '../db/database.ts'
import { systemClock } from '../domain/clock.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { ROLE } from '../domain/roles.ts'
import { emptyDatabase, onEachDatabase } from '../server/testing.ts'
import { JsonFields } from './parked-poll.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'
import { EventQueues } from './queues.ts'
import { trimLog } from './trim-log.ts'

const VIEWER = { id: 1 as UserId, role: ROLE.member }
const PLAIN: QueueDescriptor = {
  eventTypes: null,
  narrow: [],
  allPublicChannels: false,
  applyMarkdown: true,
  clientGravatar: false,
  capabilities: {},
}

/** A database with one user, and the queues of one process after the other. */
class Log {
  readonly db: Database
  queues: EventQueues
  readonly #all: EventQueues[] = []

  private constructor(db: Database) {
    this.db = db
    this.queues = this.#newQueues()
  }

  static async open(t: { after(f: () => Promise<void>): void }, dialect: 'sqlite' | 'mariadb'): Promise<Log> {
    const { location, remove } = await emptyDatabase(dialect)
    const db = await Database.open(location, systemClock)
    await db.transaction((tx) =>
      tx.users.insert({
        id: VIEWER.id,
        email: 'one@parley.example',
        fullName: 'One',
        role: ROLE.member,
        isBot: false,
        botOwnerId: null,
        canCreateUsers: false,
        dateJoined: 0,
        passwordHash: null,
        apiKeyHash: 'hash',
        apiKeyEncrypted: 'key',
      }),
    )
    const log = new Log(db)
    await log.queues.start((err) => assert.fail(err as Error))
    t.after(async () => {
      for (const queues of log.#all) await queues.stop()
      await db.close()
      await remove()
    })
    return log
  }

  #newQueues(): EventQueues {
    const queues = new EventQueues(this.db, systemClock, { baseSeconds: 45, spreadSeconds: 0 }, 'contract')
    this.#all.push(queues)
    return queues
  }

  /** Another process takes over, which knows only what is stored. */
  async crash(): Promise<void> {
    this.queues = this.#newQueues()
    await this.queues.start((err) => assert.fail(err as Error))
  }

  async add(count: number): Promise<void> {
    await this.db.transaction(async (tx) => {
      for (let number = 0; number < count; number += 1) {
        tx.events.append(
          { type: 'user_group', op: 'add_members', group_id: 6, user_ids: [VIEWER.id] },
          { to: 'everyone' },
        )
      }
    })
  }

  async head(): Promise<EventId> {
    return (await this.db.read.events.head()).eventId
  }

  async register(): Promise<string> {
    return this.startingAt(await this.head())
  }

  /** A queue whose client was told the state of this position. */
  async startingAt(eventId: EventId): Promise<string> {
    return (await this.queues.register(VIEWER, PLAIN, async () => ({ eventId }), 600)).queueId
  }

  /** Ids of the events that the queue has, all of them. */
  async poll(id: string, lastEventId?: number): Promise<number[]> {
    const answer = await this.queues.poll(VIEWER, id, lastEventId, false)
    assert(answer instanceof JsonFields)
    return JSON.parse(`{${answer.json}}`).events.map((event: { id: number }) => event.id)
  }

  trim(): Promise<number> {
    return trimLog(this.db, this.queues)
  }

  async rows(): Promise<number[]> {
    return (await this.db.read.events.after(0, 1_000_000)).map(({ id }) => id)
  }
}

onEachDatabase('trimming the event log', (dialect) => {
  test('delete what all queues have acknowledged, and keep what the slowest needs', async (t) => {
    const log = await Log.open(t, dialect)
    const slow = await log.register()
    await log.add(5)
    const fast = await log.register()
    await log.add(3)
    const ids = await log.poll(slow)
    assert.equal(ids.length, 8)
    assert.equal(await log.trim(), 0, 'nobody has acknowledged anything')
    await log.poll(slow, ids[1])
    await log.poll(fast, ids[7])
    assert.equal(await log.trim(), 2)
    assert.deepEqual(await log.rows(), ids.slice(2))
    assert.deepEqual(await log.poll(slow), ids.slice(2))
    await assert.rejects(
      log.poll(slow, ids[0]),
      new BadRequestError(`An event newer than ${ids[0]} has already been pruned!`),
    )
    await log.queues.remove(VIEWER, slow)
    assert.equal(await log.trim(), 6)
    assert.deepEqual(await log.rows(), [])
    await log.add(1)
    assert.equal((await log.poll(fast)).length, 1, 'ids go on after what is gone')
  })

  test('delete everything where there is no queue, in bounded transactions', async (t) => {
    const log = await Log.open(t, dialect)
    await log.add(1234)
    assert.equal(await log.trim(), 1234)
    assert.equal(await log.trim(), 0)
  })

  test('keep what follows the state of somebody who is registering', async (t) => {
    const log = await Log.open(t, dialect)
    await log.add(2)
    const readState = async () => {
      const eventId = await log.head()
      await log.add(3)
      assert.equal(await log.trim(), 2)
      return { eventId }
    }
    const { queueId, eventId } = await log.queues.register(VIEWER, PLAIN, readState, 600)
    assert.equal(await log.trim(), 0)
    assert.deepEqual(await log.poll(queueId), [eventId + 1, eventId + 2, eventId + 3])
  })

  test('after a crash a queue goes on where it was stored, whatever was acknowledged since', async (t) => {
    const log = await Log.open(t, dialect)
    const id = await log.register()
    await log.add(4)
    const ids = await log.poll(id)
    await log.poll(id, ids[0])
    await log.trim()
    await log.poll(id, ids[2])
    await log.crash()
    assert.equal(await log.trim(), 0)
    assert.deepEqual(await log.poll(id), ids.slice(1))
    assert.deepEqual(await log.poll(id, ids[2]), ids.slice(3))
  })

  test('whatever happens, each queue has every event after what it acknowledged', async (t) => {
    const log = await Log.open(t, dialect)
    const queue = fc.nat(3)
    const step = fc.oneof(
      fc.record({ does: fc.constant('add' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ does: fc.constant('acknowledge' as const), queue, count: fc.nat(4) }),
      fc.record({ does: fc.constantFrom('register' as const, 'remove' as const), queue }),
      fc.record({ does: fc.constantFrom('trim' as const, 'crash' as const) }),
    )
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[]) => {
      /** By queue: its id, and the events that its client has not acknowledged. */
      const clients = new Map<number, { id: string; open: number[]; position: number }>()
      for (const one of steps) {
        const client = 'queue' in one ? clients.get(one.queue) : undefined
        if (one.does === 'add') {
          const before = await log.head()
          await log.add(one.count)
          const added = Array.from({ length: one.count }, (_, index) => before + 1 + index)
          for (const { open } of clients.values()) open.push(...added)
        } else if (one.does === 'register' && !client) {
          const position = await log.head()
          clients.set(one.queue, { id: await log.register(), open: [], position })
        } else if (one.does === 'remove' && client) {
          await log.queues.remove(VIEWER, client.id)
          clients.delete(one.queue)
        } else if (one.does === 'acknowledge' && client) {
          client.position = client.open[one.count - 1] ?? client.position
          client.open = client.open.filter((id) => id > client.position)
          await log.poll(client.id, client.position)
        } else if (one.does === 'trim') await log.trim()
        else if (one.does === 'crash') await log.crash()
        for (const { id, open, position } of clients.values()) assert.deepEqual(await log.poll(id, position), open)
      }
      for (const { id } of clients.values()) await log.queues.remove(VIEWER, id)
      await log.trim()
      assert.deepEqual(await log.rows(), [])
    }
    const commands = fc.array(step, { minLength: 10, maxLength: 30 })
    await fc.assert(fc.asyncProperty(commands, run), { numRuns: 25, seed: 482 })
  })
})
