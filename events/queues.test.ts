import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { BadEventQueueIdError } from '../domain/errors.ts'
import type { Audience } from '../domain/events/audience.ts'
import { ascending, type MessageId, type UserId } from '../domain/ids.ts'
import { onEachDatabase } from '../server/testing.ts'
import { LogTail } from './log-tail.ts'
import { ParkedPoll } from './parked-poll.ts'
import {
  answeredLater,
  answeredNow,
  append,
  beginQueues,
  CHANNEL,
  drain,
  IDLE_SECONDS,
  idsOf,
  LATE_SECONDS,
  PLAIN,
  type Seen,
  START_SECONDS,
  startingAt,
  VIEWER,
} from './queues-testing.ts'

const carriedBy = (events: readonly Seen[] = []) => events.map((event) => event.user_ids?.[0])
const typesOf = (events: readonly Seen[] = []) => events.map((event) => event.type)
const numbersOf = (answer: Parameters<typeof answeredNow>[0]) => carriedBy(answeredNow(answer))

onEachDatabase('event queues', (dialect) => {
  const begin = async (t: TestContext, heartbeatSeconds?: number) => {
    const begun = await beginQueues(dialect, t, heartbeatSeconds)
    const queues = await begun.start()
    return { ...begun, queues }
  }

  test('answer a poll that a second one ended before it was listened to', async (t) => {
    const { register, queues } = await begin(t)
    const id = await register(queues)
    const first = await queues.poll(VIEWER, id, undefined, true)
    await queues.poll(VIEWER, id, undefined, true)
    assert(first instanceof ParkedPoll)
    const heard: unknown[] = []
    first.whenAnswered((fields) => heard.push(JSON.parse(`{${fields}}`)))
    assert.deepEqual(heard, [{ events: [], queue_id: id }])
  })

  test('end a poll whose client went away', async (t) => {
    const { add, register, queues } = await begin(t)
    const id = await register(queues)
    const poll = await queues.poll(VIEWER, id, undefined, true)
    assert(poll instanceof ParkedPoll)
    poll.abandon()
    assert.equal(queues.counts.parked, 0)
    await add(1)
    assert.equal(answeredNow(await queues.poll(VIEWER, id, undefined, true)).length, 1)
  })

  test('send a heartbeat with an ID that no event gets, and miss nothing after it', { timeout: 60_000 }, async (t) => {
    const { add, head, pass, register, queues } = await begin(t, 0.04)
    const ids = await Promise.all([register(queues), register(queues)])
    const before = await head()
    const seen: Seen[] = []
    let number = 0
    for (let round = 0; round < 4; round += 1) {
      const last = seen.at(-1)?.id
      const polls = await Promise.all(ids.map((id) => queues.poll(VIEWER, id, last, true)))
      const answers = polls.map(answeredLater)
      pass(round === 2 ? 10 : 1)
      const [mine, other] = await Promise.all(answers)
      assert.deepEqual(typesOf(mine), ['heartbeat'])
      assert.deepEqual(mine, other)
      seen.push(...(mine ?? []))
      number += 1
      await add(number)
      for (const id of ids) {
        const later = answeredNow(await queues.poll(VIEWER, id, seen.at(-1)?.id, true))
        assert.deepEqual(carriedBy(later), [number], 'the event that came after the heartbeat')
        if (id === ids.at(-1)) seen.push(...later)
      }
    }
    const all = idsOf(seen)
    assert.deepEqual(all, ascending(all), 'no id twice')
    assert(all.every((id) => id > before))
  })

  test('deliver an event to many waiting polls', async (t) => {
    const { add, register, queues } = await begin(t)
    const ids = await Promise.all(Array.from({ length: 120 }, () => register(queues)))
    const answers = (await Promise.all(ids.map((id) => queues.poll(VIEWER, id, undefined, true)))).map(answeredLater)
    await add(5)
    for (const answer of answers) assert.deepEqual((await answer)[0]?.user_ids, [5])
    assert.equal(queues.counts.parked, 0)
  })

  test('answer polls when the queue is removed or the server stops', async (t) => {
    const { register, owner, queues } = await begin(t)
    const [removed, kept] = await Promise.all([register(queues), register(queues)])
    assert(removed !== undefined && kept !== undefined)
    const first = answeredLater(await queues.poll(VIEWER, removed, undefined, true))
    await queues.remove(owner(), removed)
    assert.deepEqual(await first, [])
    await assert.rejects(queues.poll(VIEWER, removed, undefined, true), BadEventQueueIdError)
    const second = answeredLater(await queues.poll(VIEWER, kept, undefined, true))
    await queues.stop()
    assert.deepEqual(await second, [])
    assert.deepEqual(answeredNow(await queues.poll(VIEWER, kept, undefined, true)), [], 'nobody is parked any more')
  })

  test('read from the table for a queue behind the tail', async (t) => {
    const { db, start, register, queues: early } = await begin(t)
    const numbers = Array.from({ length: 70 }, (_, index) => index + 1)
    const id = await register(early)
    for (const number of numbers) {
      const event = { type: 'subscription', op: 'peer_add', stream_ids: [CHANNEL] } as const
      // All events together exceed the tail in memory, regardless of the size of one event.
      const userIds = [number, ...Array<number>(60_000).fill(123_456)]
      await db.transaction(async (tx) => tx.events.append({ ...event, user_ids: userIds }, { to: 'everyone' }))
    }
    const late = await start()
    assert.deepEqual(carriedBy((await drain(early, id)).flat()), numbers, 'a tail cut short')
    assert.deepEqual(carriedBy((await drain(late, id)).flat()), numbers, 'an empty tail')
  })

  test('read from memory for other queues, without the table', async (t) => {
    const { db, add, register, queues } = await begin(t)
    const id = await register(queues)
    const { mock } = t.mock.method(db.read.events, 'page')
    await add(1, 2)
    assert.equal((await drain(queues, id)).flat().length, 2)
    assert.equal(mock.callCount(), 0)
  })

  test('return a long backlog in parts, each acknowledged before the next', async (t) => {
    const { db, register, queues } = await begin(t)
    const id = await register(queues)
    const numbers = Array.from({ length: 2500 }, (_, index) => index)
    await db.transaction(async (tx) => {
      for (const number of numbers) append(tx, number)
    })
    const parts = await drain(queues, id)
    assert.deepEqual(carriedBy(parts.flat()), numbers)
    assert.deepEqual(
      parts.map((part) => part.length),
      [1000, 1000, 500],
    )
  })

  test('continue after a restart from the stored position', async (t) => {
    const { start, add, register, queues: before } = await begin(t)
    const id = await register(before)
    await add(1, 2)
    const first = answeredNow(await before.poll(VIEWER, id, undefined, false))
    await before.poll(VIEWER, id, first[0]?.id, false)
    await before.stop()
    await add(3)
    const after = await start()
    assert.deepEqual(numbersOf(await after.poll(VIEWER, id, undefined, false)), [2, 3])
  })

  test('see a channel while subscribed, also if subscribed during a read', async (t) => {
    const { db, start, register, queues: first } = await begin(t)
    const toChannel: Audience = { to: 'channel', channelId: CHANNEL, isPublic: false }
    const subscribe = (userId: UserId) =>
      db.transaction(async (tx) => {
        await tx.subscriptions.subscribe(CHANNEL, [{ id: userId, color: '#000000' }], await tx.events.lockedHead())
        tx.events.append({ type: 'subscription', op: 'add', subscriptions: [] }, { to: 'users', userIds: [userId] })
      })
    const send = (number: number) => db.transaction(async (tx) => append(tx, number, toChannel))
    const id = await register(first)
    await send(1)
    await subscribe(VIEWER.id)
    await send(2)
    const queues = await start()
    // The viewer's subscriptions are forgotten while a page is read from the table.
    const { events } = db.read
    const readPage = events.after.bind(events)
    let isFirst = true
    t.mock.method(events, 'after', async (...range: Parameters<typeof readPage>) => {
      const page = await readPage(...range)
      if (isFirst) {
        isFirst = false
        await db.transaction(async (tx) =>
          tx.events.append(
            { type: 'subscription', op: 'add', subscriptions: [] },
            { to: 'users', userIds: [VIEWER.id] },
          ),
        )
      }
      return page
    })
    const seen = answeredNow(await queues.poll(VIEWER, id, undefined, false))
    assert.deepEqual(
      seen.map((event) => event.user_ids?.[0] ?? event.type),
      ['subscription', 2, 'subscription'],
    )
  })

  test('end a poll whose queue was removed during its read', async (t) => {
    const { db, register, owner, queues } = await begin(t)
    const id = await register(queues)
    await db.transaction(async (tx) => append(tx, 1, { to: 'nobody' }))
    const { subscriptions } = db.read
    const readSpans = subscriptions.spans.bind(subscriptions)
    t.mock.method(subscriptions, 'spans', async (...userIds: Parameters<typeof readSpans>) => {
      await queues.remove(owner(), id)
      return readSpans(...userIds)
    })
    await assert.rejects(queues.poll(VIEWER, id, undefined, true), BadEventQueueIdError)
    assert.deepEqual(queues.counts, { queues: 0, parked: 0 })
  })

  test('expire queues without polls, and no others', async (t) => {
    const { pass, register, db, queues } = await begin(t)
    const [idle, polled, parked] = await Promise.all([register(queues), register(queues), register(queues)])
    assert(idle !== undefined && polled !== undefined && parked !== undefined)
    const waiting = await queues.poll(VIEWER, parked, undefined, true)
    pass(IDLE_SECONDS)
    assert.deepEqual(await queues.expire(), [], 'not before the time is over')
    await queues.poll(VIEWER, polled, undefined, false)
    pass(dialect === 'sqlite' ? 1 : LATE_SECONDS + 1)
    assert.deepEqual(await queues.expire(), [idle])
    await assert.rejects(queues.poll(VIEWER, idle, undefined, false), BadEventQueueIdError)
    assert.equal((await db.read.queues.all()).length, 2)
    assert(waiting instanceof ParkedPoll && !waiting.isOver)
  })

  test('expire their whole time after the client of a waiting poll went away', async (t) => {
    const { pass, register, queues } = await begin(t)
    const id = await register(queues)
    const poll = await queues.poll(VIEWER, id, undefined, true)
    assert(poll instanceof ParkedPoll)
    pass(40)
    poll.abandon()
    pass(IDLE_SECONDS)
    assert.deepEqual(await queues.expire(), [])
    pass(dialect === 'sqlite' ? 1 : LATE_SECONDS + 1)
    assert.deepEqual(await queues.expire(), [id])
  })

  test('deliver the rest after a partial acknowledgement', async (t) => {
    const { db, start, head, owner, queues } = await begin(t)
    const bulk = { ...PLAIN, capabilities: { bulk_message_deletion: true } }
    const [plainId, bulkId] = [
      await startingAt(queues, owner(), PLAIN, await head()),
      await startingAt(queues, owner(), bulk, await head()),
    ]
    const message_ids = [1, 2, 3] as MessageId[]
    await db.transaction(async (tx) => {
      const audience = { to: 'users', userIds: [VIEWER.id] } as const
      tx.events.append({ type: 'delete_message', message_type: 'private', message_ids }, audience, 3)
    })
    const [first, ...rest] = answeredNow(await queues.poll(VIEWER, plainId, undefined, false))
    assert.equal(rest.length, 2)
    assert.deepEqual(answeredNow(await queues.poll(VIEWER, plainId, first?.id, false)), rest)
    await queues.storeCursors()
    const after = await start()
    t.mock.method(LogTail.prototype, 'reaches', () => false)
    assert.deepEqual(answeredNow(await after.poll(VIEWER, plainId, rest[0]?.id, false)), rest.slice(1))
    const [all] = answeredNow(await after.poll(VIEWER, bulkId, undefined, false))
    assert.deepEqual(answeredNow(await after.poll(VIEWER, bulkId, all?.id, false)), [])
  })

  test('start at the position of the state, at any process', async (t) => {
    const { start, head, add, owner, queues: here } = await begin(t)
    const readState = async () => {
      await add(1)
      return { eventId: await head() }
    }
    const { queueId } = await here.register(owner(), PLAIN, readState, IDLE_SECONDS)
    await add(2)
    assert.deepEqual(numbersOf(await (await start()).poll(VIEWER, queueId, -1, false)), [2])
  })

  test('continue at any process, and end at all of them', async (t) => {
    const { start, pass, register, add, owner, queues: here } = await begin(t)
    const there = await start()
    const id = await register(here)
    await add(1, 2)
    const [first] = answeredNow(await there.poll(VIEWER, id, undefined, false))
    assert.deepEqual(numbersOf(await here.poll(VIEWER, id, first?.id, false)), [2])
    await here.storeCursors()
    assert.deepEqual(numbersOf(await there.poll(VIEWER, id, undefined, false)), [2], 'acknowledged there')
    pass(IDLE_SECONDS)
    await here.poll(VIEWER, id, undefined, false)
    await here.storeCursors()
    pass(1)
    assert.deepEqual(await there.expire(), [], 'it was polled at the other process')
    assert.deepEqual(numbersOf(await there.poll(VIEWER, id, undefined, false)), [2])
    await there.remove(owner(), id)
    await assert.rejects(here.poll(VIEWER, id, first?.id, false), BadEventQueueIdError)
  })

  for (const [name, seconds] of [
    ['back', -3600],
    ['forward', 86_400],
  ] as const) {
    test(`beat and expire at their time when somebody sets the clock ${name}`, async (t) => {
      const { pass, setClock, register, db, queues } = await begin(t, 0.04)
      const [idle, polled] = await Promise.all([register(queues), register(queues)])
      const beat = answeredLater(await queues.poll(VIEWER, polled, undefined, true))
      setClock(seconds)
      assert.deepEqual(await queues.expire(), [], 'nobody was idle')
      pass(1)
      assert.deepEqual(typesOf(await beat), ['heartbeat'])
      await queues.storeCursors()
      const stored = (await db.read.queues.all()).find(({ id }) => id === polled)
      assert.equal(stored?.lastSeenAt, START_SECONDS + Math.max(0, seconds + 1), 'rows have the time of day')
      pass(dialect === 'sqlite' ? IDLE_SECONDS : IDLE_SECONDS + LATE_SECONDS)
      await queues.poll(VIEWER, polled, undefined, false)
      assert.deepEqual(await queues.expire(), seconds > 0 ? [idle] : [], 'as late as the clock was set back')
    })
  }
})
