import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../db/database.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { UserId } from '../domain/ids.ts'
import { onEachDatabase } from '../server/testing.ts'
import { Audiences } from './audience.ts'
import { answeredLater, append, beginQueues, CHANNEL, OTHER, PLAIN, startingAt, VIEWER } from './queues-testing.ts'

const toChannel: Audience = { to: 'channel', channelId: CHANNEL, isPublic: false }

const deleted = { type: 'stream', op: 'delete', stream_ids: [CHANNEL], streams: [] } as never

/** Subscribes a user, so that the audiences forget them. */
function subscribe(db: Database, id: UserId): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.subscriptions.subscribe(CHANNEL, [{ id, color: '#000000' }], await tx.events.lockedHead())
    tx.events.append({ type: 'subscription', op: 'add', subscriptions: [] }, { to: 'users', userIds: [id] })
  })
}

onEachDatabase('delivery', (dialect) => {
  test('reaches subscribers from before and during their wait', async (t) => {
    const { db, start, head, owner } = await beginQueues(dialect, t)
    await subscribe(db, VIEWER.id)
    const queues = await start()
    const wait = async (viewer: typeof VIEWER) => {
      const only = { ...PLAIN, eventTypes: ['stream'] }
      const id = await startingAt(queues, owner(viewer), only, await head())
      return { answered: answeredLater(await queues.poll(viewer, id, undefined, true)) }
    }
    const send = () =>
      db.transaction(async (tx) => {
        tx.events.append(deleted, toChannel)
      })
    // The audiences have loaded neither of them yet.
    const [first, second] = [await wait(VIEWER), await wait(OTHER)]
    await send()
    assert.equal((await first.answered)[0]?.type, 'stream')
    assert.equal(queues.counts.parked, 1)
    const third = await wait(VIEWER)
    await subscribe(db, OTHER.id)
    assert.equal(queues.counts.parked, 2)
    await send()
    assert.deepEqual([(await second.answered)[0]?.type, (await third.answered)[0]?.type], ['stream', 'stream'])
    // Only one of them is forgotten by the audiences.
    const both = [await wait(VIEWER), await wait(OTHER)]
    await db.transaction(async (tx) => {
      const person = { user_id: OTHER.id, role: OTHER.role }
      tx.events.append({ type: 'realm_user', op: 'update', person }, { to: 'nobody' })
    })
    await send()
    for (const { answered } of both) assert.equal((await answered)[0]?.type, 'stream')
  })

  test('reaches a poll that has to skip a page of other events', async (t) => {
    const { db, start, head, owner } = await beginQueues(dialect, t)
    const queues = await start()
    const id = await startingAt(queues, owner(), { ...PLAIN, eventTypes: ['stream'] }, await head())
    const waiting = answeredLater(await queues.poll(VIEWER, id, undefined, true))
    await db.transaction(async (tx) => {
      for (let number = 1; number < 2500; number += 1) append(tx, number)
      tx.events.append(deleted, { to: 'users', userIds: [VIEWER.id] })
    })
    assert.equal((await waiting)[0]?.type, 'stream')
  })

  test('examines only polls that an event may concern, however many wait', async (t) => {
    const { db, start, add, head, owner } = await beginQueues(dialect, t)
    const queues = await start()
    for (let count = 0; count < 100; count += 1) {
      const id = await startingAt(queues, owner(OTHER), PLAIN, await head())
      answeredLater(await queues.poll(OTHER, id, undefined, true))
    }
    const id = await startingAt(queues, owner(), PLAIN, await head())
    const first = answeredLater(await queues.poll(VIEWER, id, undefined, true))
    await add(1) // from here on everybody is loaded in the audiences
    const [{ id: seen } = { id: 0 }] = await first
    const second = answeredLater(await queues.poll(VIEWER, id, seen, true))
    const looked = t.mock.method(Audiences.prototype, 'isIn').mock
    await subscribe(db, VIEWER.id)
    assert.deepEqual((await second)[0]?.type, 'subscription')
    assert.ok(looked.callCount() < 10, `looked ${looked.callCount()} times`)
  })

  test('is repeated after a failure', async (t) => {
    const { db, start, register } = await beginQueues(dialect, t)
    await subscribe(db, VIEWER.id)
    const errors: unknown[] = []
    const queues = await start((err) => errors.push(err))
    const waiting = answeredLater(await queues.poll(VIEWER, await register(queues), undefined, true))
    const spans = db.read.subscriptions.spans.bind(db.read.subscriptions)
    const { mock } = t.mock.method(db.read.subscriptions, 'spans', async (ids: readonly UserId[]) => {
      if (mock.callCount() === 0) throw new Error('no database')
      return spans(ids)
    })
    await db.transaction(async (tx) => append(tx, 1, toChannel))
    assert.deepEqual((await waiting)[0]?.user_ids, [1])
    assert.deepEqual(errors.map(String), ['Error: no database'])
  })
})
