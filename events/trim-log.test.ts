import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import { BadEventQueueIdError, BadRequestError } from '../domain/errors.ts'
import { type Dialect, onEachDatabase } from '../server/testing.ts'
import { ParkedPoll } from './parked-poll.ts'
import { endQueuesBehind } from './queues-behind.ts'
import { answeredNow, append, beginQueues, idsOf, PLAIN, VIEWER } from './queues-testing.ts'
import { trimLog } from './trim-log.ts'

/** A database, and the event queues of successive processes. */
async function openLog(t: TestContext, dialect: Dialect) {
  const { db, start, head, owner: ownerOf, register } = await beginQueues(dialect, t)
  const owner = ownerOf()
  let queues = await start()
  return {
    db,
    head,
    owner,
    get queues() {
      return queues
    },
    /** Starts another process, which knows only what is stored. */
    async crash(): Promise<void> {
      queues = await start()
    },
    async add(count: number): Promise<void> {
      await db.transaction(async (tx) => {
        for (let number = 0; number < count; number += 1) append(tx, number, { to: 'everyone' })
      })
    },
    /** Appends an event in a transaction that fails, so it is not in the log. */
    addInVain: (): Promise<void> =>
      db.transaction(async (tx) => {
        tx.events.append({ type: 'tick' }, { to: 'nobody' })
        throw new Error('in vain')
      }),
    register: () => register(queues),
    /** Returns the ids of all events in the queue. */
    poll: async (id: string, lastEventId?: number): Promise<number[]> =>
      idsOf(answeredNow(await queues.poll(VIEWER, id, lastEventId, false))),
    trim: () => trimLog(db, queues),
    /** Size of the rows after `position`, added up one by one. */
    async bytesAfter(position: number): Promise<number> {
      const records = await db.read.events.after(position, 1_000_000)
      const texts = records.flatMap(({ payload, audience }) => [payload, JSON.stringify(audience)])
      return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    },
    rows: async (): Promise<number[]> => (await db.read.events.after(0, 1_000_000)).map(({ id }) => id),
  }
}

onEachDatabase('trimming the event log', (dialect) => {
  test('delete what all queues have acknowledged, and keep what the slowest needs', async (t) => {
    const log = await openLog(t, dialect)
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
    await log.queues.remove(log.owner, slow)
    assert.equal(await log.trim(), 6)
    assert.deepEqual(await log.rows(), [])
    await log.add(1)
    assert.equal((await log.poll(fast)).length, 1, 'ids go on after what is gone')
  })

  test('delete everything if there is no queue, in bounded transactions', async (t) => {
    const log = await openLog(t, dialect)
    await log.add(1234)
    assert.equal(await log.trim(), 1234)
    assert.equal(await log.trim(), 0)
  })

  test('SEC-MEM-5: queues that are a million events behind end, and trimming continues', async (t) => {
    const log = await openLog(t, dialect)
    const [abandoned, waiting] = [await log.register(), await log.register()]
    await log.add(1)
    const [first] = await log.poll(waiting)
    await log.queues.poll(VIEWER, waiting, first, false)
    const poll = await log.queues.poll(VIEWER, waiting, undefined, true)
    assert(poll instanceof ParkedPoll)
    // One event that reserves this many ids.
    await log.db.transaction(async (tx) => tx.events.append({ type: 'tick' }, { to: 'nobody' }, 999_999))
    assert.deepEqual(await endQueuesBehind(log.db, log.queues), [], 'a million is not more than a million')
    await log.db.transaction(async (tx) => tx.events.append({ type: 'tick' }, { to: 'nobody' }, 1))
    const bytes = await log.bytesAfter(0)
    assert.deepEqual(await endQueuesBehind(log.db, log.queues), [
      { queueId: abandoned, userId: VIEWER.id, events: 1_000_001, bytes },
    ])
    await assert.rejects(log.poll(abandoned), BadEventQueueIdError)
    assert.equal(await log.trim(), 1)
    assert.equal(poll.isOver, false, 'who is a million behind, waits on')
    await log.db.transaction(async (tx) => tx.events.append({ type: 'tick' }, { to: 'nobody' }, 1))
    assert.deepEqual(
      (await endQueuesBehind(log.db, log.queues)).map(({ queueId }) => queueId),
      [waiting],
    )
    assert.equal(poll.isOver, true, 'its client is answered, and learns with its next call')
    await assert.rejects(log.poll(waiting), BadEventQueueIdError)
    assert.equal(await log.trim(), 3)
    assert.deepEqual(await log.db.read.queues.all(), [])
  })

  test('a queue that only the table knows ends like others', async (t) => {
    const log = await openLog(t, dialect)
    const lastEventId = await log.head()
    const row = { id: 'lost', userId: VIEWER.id, descriptor: '{}', startEventId: lastEventId, lastEventId }
    await log.db.transaction((tx) => tx.queues.insert({ ...row, lastSeenAt: 0, idleTimeoutSeconds: 600 }))
    await log.add(3)
    assert.equal(await log.trim(), 0)
    const ended = await endQueuesBehind(log.db, log.queues, { events: 2, bytes: 1_000_000 })
    assert.deepEqual(
      ended.map(({ queueId }) => queueId),
      ['lost'],
    )
    assert.equal(await log.trim(), 3)
  })

  test('delete large events in bounded transactions', async (t) => {
    const log = await openLog(t, dialect)
    const event = { type: 'submessage', message_id: 1, submessage_id: 1, sender_id: 1, msg_type: 'widget' } as const
    for (let count = 0; count < 3; count += 1) {
      await log.db.transaction(async (tx) =>
        tx.events.append({ ...event, content: 'x'.repeat(2_000_000) }, { to: 'everyone' }),
      )
    }
    assert.deepEqual(
      await log.db.transaction(async (tx) => [
        await tx.events.deleteOldest(1_000_000, 500, 3_000_000),
        await tx.events.deleteOldest(1_000_000, 500, 1),
        await tx.events.deleteOldest(1_000_000, 500, 1),
      ]),
      [2, 1, 0],
    )
  })

  test('keep events after the state of a registration in progress', async (t) => {
    const log = await openLog(t, dialect)
    await log.add(2)
    const readState = async () => {
      const eventId = await log.head()
      await log.add(3)
      assert.equal(await log.trim(), 2)
      return { eventId }
    }
    const { queueId, eventId } = await log.queues.register(log.owner, PLAIN, readState, 600)
    assert.equal(await log.trim(), 0)
    assert.deepEqual(await log.poll(queueId), [eventId + 1, eventId + 2, eventId + 3])
  })

  test('each queue always has every event that it has not acknowledged', async (t) => {
    const log = await openLog(t, dialect)
    const queue = fc.nat(3)
    const step = fc.oneof(
      fc.record({ does: fc.constant('add' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ does: fc.constant('acknowledge' as const), queue, count: fc.nat(4) }),
      fc.record({ does: fc.constantFrom('register' as const, 'remove' as const), queue }),
      fc.record({ does: fc.constantFrom('trim' as const, 'crash' as const, 'fail' as const) }),
      fc.record({ does: fc.constant('end' as const), events: fc.nat(8), bytes: fc.nat(800) }),
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
          await log.queues.remove(log.owner, client.id)
          clients.delete(one.queue)
        } else if (one.does === 'acknowledge' && client) {
          client.position = client.open[one.count - 1] ?? client.position
          client.open = client.open.filter((id) => id > client.position)
          await log.poll(client.id, client.position)
        } else if (one.does === 'trim') await log.trim()
        else if (one.does === 'crash') await log.crash()
        else if (one.does === 'fail') await assert.rejects(log.addInVain())
        else if (one.does === 'end') {
          const head = await log.head()
          const behind: string[] = []
          for (const [key, { id, position }] of clients) {
            if (head - position <= one.events && (await log.bytesAfter(position)) <= one.bytes) continue
            behind.push(id)
            clients.delete(key)
          }
          const ended = await endQueuesBehind(log.db, log.queues, one)
          assert.deepEqual(ended.map(({ queueId }) => queueId).toSorted(), behind.toSorted())
          for (const id of behind) await assert.rejects(log.poll(id), BadEventQueueIdError)
        }
        for (const { id, open, position } of clients.values()) assert.deepEqual(await log.poll(id, position), open)
      }
      for (const { id } of clients.values()) await log.queues.remove(log.owner, id)
      await log.trim()
      assert.deepEqual(await log.rows(), [])
    }
    const commands = fc.array(step, { minLength: 10, maxLength: 30 })
    await fc.assert(fc.asyncProperty(commands, run), { numRuns: 25, seed: 482 })
  })
})
