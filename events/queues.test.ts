import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database, type Tx } from '../db/database.ts'
import type { Audience } from '../domain/audience.ts'
import type { Clock } from '../domain/clock.ts'
import { BadEventQueueIdError, BadRequestError } from '../domain/errors.ts'
import type { ChannelId, EventId, UserId } from '../domain/ids.ts'
import { ROLE } from '../domain/roles.ts'
import { emptyDatabase, onEachDatabase } from '../server/testing.ts'
import type { Viewer } from './event-queue.ts'
import { JsonFields, ParkedPoll } from './parked-poll.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'
import { EventQueues } from './queues.ts'

const VIEWER = { id: 1 as UserId, role: ROLE.member }
const OTHER = { id: 2 as UserId, role: ROLE.member }
const CHANNEL = 1 as ChannelId
const IDLE_SECONDS = 600
const PLAIN: QueueDescriptor = {
  eventTypes: null,
  narrow: [],
  allPublicChannels: false,
  applyMarkdown: true,
  clientGravatar: false,
  capabilities: {},
}

interface Seen {
  readonly id: number
  readonly type: string
  readonly user_ids?: readonly number[]
}

function eventsOf(fields: string): Seen[] {
  return JSON.parse(`{${fields}}`).events
}

function answeredNow(result: JsonFields | ParkedPoll): Seen[] {
  assert(result instanceof JsonFields, 'answered at once')
  return eventsOf(result.json)
}

/** The events of a poll that has to wait for them. */
function answeredLater(result: JsonFields | ParkedPoll): Promise<Seen[]> {
  assert(result instanceof ParkedPoll, 'parked')
  assert.equal(result.isOver, false)
  return new Promise((resolve) => result.whenAnswered((fields) => resolve(eventsOf(fields))))
}

/** Everything in a queue, answer by answer, each acknowledged with the next poll. */
async function drain(queues: EventQueues, id: string): Promise<Seen[][]> {
  const parts: Seen[][] = []
  for (;;) {
    const part = answeredNow(await queues.poll(VIEWER, id, parts.at(-1)?.at(-1)?.id, false))
    if (part.length === 0) return parts
    parts.push(part)
  }
}

/** A queue whose client was told the state of this position. */
async function startingAt(
  queues: EventQueues,
  viewer: Viewer,
  descriptor: QueueDescriptor,
  eventId: EventId,
): Promise<string> {
  return (await queues.register(viewer, descriptor, async () => ({ eventId }), IDLE_SECONDS)).queueId
}

const idsOf = (events: readonly Seen[]): number[] => events.map((event) => event.id)

/** An event that carries `number`. */
function append(tx: Tx, number: number, audience: Audience = { to: 'users', userIds: [VIEWER.id] }): void {
  tx.events.append({ type: 'subscription', op: 'peer_add', stream_ids: [CHANNEL], user_ids: [number] }, audience)
}

onEachDatabase('event queues', (dialect) => {
  async function begin(t: { after(f: () => Promise<void>): void }, heartbeatSeconds = 45) {
    const { location, remove } = await emptyDatabase(dialect)
    let now = 1_767_225_600_000
    const clock: Clock = { now: () => now }
    const db = await Database.open(location, clock)
    await db.transaction(async (tx) => {
      for (const { id, role } of [VIEWER, OTHER]) await tx.users.insert(account(id, role))
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
    const start = async (): Promise<EventQueues> => {
      const queues = new EventQueues(db, clock, { baseSeconds: heartbeatSeconds, spreadSeconds: 0 }, 'contract')
      started.push(queues)
      await queues.start((err) => assert.fail(err as Error))
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
    }
    const register = async (queues: EventQueues, descriptor = PLAIN) =>
      startingAt(queues, VIEWER, descriptor, await head())
    return { db, start, add, head, pass, register }
  }

  test('acknowledge up to last_event_id, and repeat what is not acknowledged', async (t) => {
    const { start, add, register } = await begin(t)
    const queues = await start()
    const id = await register(queues)
    await add(1, 2, 3)
    const first = idsOf(answeredNow(await queues.poll(VIEWER, id, undefined, false)))
    assert.equal(first.length, 3)
    assert.deepEqual(idsOf(answeredNow(await queues.poll(VIEWER, id, undefined, false))), first, 'nothing acknowledged')
    assert.deepEqual(idsOf(answeredNow(await queues.poll(VIEWER, id, -1, false))), first, 'a client that begins')
    assert.deepEqual(idsOf(answeredNow(await queues.poll(VIEWER, id, first[1], false))), first.slice(2))
    assert.deepEqual(idsOf(answeredNow(await queues.poll(VIEWER, id, undefined, false))), first.slice(2), 'the rest')
    await assert.rejects(queues.poll(VIEWER, id, first[0], false), (err: unknown) => {
      assert(err instanceof BadRequestError)
      assert.equal(err.message, `An event newer than ${first[0]} has already been pruned!`)
      return true
    })
    await assert.rejects(queues.poll(VIEWER, id, (first[2] ?? 0) + 1, false), BadRequestError, 'not there yet')
    assert.deepEqual(idsOf(answeredNow(await queues.poll(VIEWER, id, undefined, false))), first.slice(2), 'errors keep')
    assert.deepEqual(answeredNow(await queues.poll(VIEWER, id, first[2], false)), [])
  })

  test('answer the first poll when a second one comes', async (t) => {
    const { start, add, register } = await begin(t)
    const queues = await start()
    const id = await register(queues)
    const first = answeredLater(await queues.poll(VIEWER, id, undefined, true))
    const second = answeredLater(await queues.poll(VIEWER, id, undefined, true))
    assert.deepEqual(await first, [])
    assert.deepEqual(queues.counts, { queues: 1, parked: 1 })
    await add(7)
    assert.deepEqual((await second)[0]?.user_ids, [7])
  })

  test('let a poll go whose client went away', async (t) => {
    const { start, add, register } = await begin(t)
    const queues = await start()
    const id = await register(queues)
    const poll = await queues.poll(VIEWER, id, undefined, true)
    assert(poll instanceof ParkedPoll)
    poll.abandon()
    assert.equal(queues.counts.parked, 0)
    await add(1)
    assert.equal(answeredNow(await queues.poll(VIEWER, id, undefined, true)).length, 1)
  })

  test('beat with an id that no event gets, and miss nothing after it', { timeout: 60_000 }, async (t) => {
    const { start, add, head, pass, register } = await begin(t, 0.04)
    const queues = await start()
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
      assert.deepEqual(
        mine?.map((event) => event.type),
        ['heartbeat'],
      )
      assert.deepEqual(mine, other)
      seen.push(...(mine ?? []))
      number += 1
      await add(number)
      for (const id of ids) {
        const later = answeredNow(await queues.poll(VIEWER, id, seen.at(-1)?.id, true))
        assert.deepEqual(
          later.map((event) => event.user_ids),
          [[number]],
          'the event that came after the heartbeat',
        )
        if (id === ids.at(-1)) seen.push(...later)
      }
    }
    const all = idsOf(seen)
    assert.deepEqual(
      all,
      all.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(all).size, all.length, 'no id twice')
    assert(all.every((id) => id > before))
  })

  test('deliver an event to polls that wait, also to many', async (t) => {
    const { start, add, register } = await begin(t)
    const queues = await start()
    const ids = await Promise.all(Array.from({ length: 120 }, () => register(queues)))
    const answers = (await Promise.all(ids.map((id) => queues.poll(VIEWER, id, undefined, true)))).map(answeredLater)
    await add(5)
    for (const answer of answers) assert.deepEqual((await answer)[0]?.user_ids, [5])
    assert.equal(queues.counts.parked, 0)
  })

  test('keep to oneself what is in a queue', async (t) => {
    const { start, add, register } = await begin(t)
    const queues = await start()
    const id = await register(queues)
    await add(1)
    const isUnknown = (queueId: string) => (err: unknown) => {
      assert(err instanceof BadEventQueueIdError)
      assert.equal(err.message, new BadEventQueueIdError(queueId).message)
      return true
    }
    await assert.rejects(queues.poll(OTHER, id, undefined, false), isUnknown(id))
    await assert.rejects(queues.remove(OTHER, id), isUnknown(id))
    await assert.rejects(queues.poll(VIEWER, 'no such queue', undefined, false), isUnknown('no such queue'))
    const theirs = await startingAt(queues, OTHER, PLAIN, 0 as EventId)
    const seen = answeredNow(await queues.poll(OTHER, theirs, undefined, false))
    assert.deepEqual(seen, [], 'an event of somebody else')
  })

  test('answer who waits when the queue is removed or the server stops', async (t) => {
    const { start, register } = await begin(t)
    const queues = await start()
    const [removed, kept] = await Promise.all([register(queues), register(queues)])
    assert(removed !== undefined && kept !== undefined)
    const first = answeredLater(await queues.poll(VIEWER, removed, undefined, true))
    await queues.remove(VIEWER, removed)
    assert.deepEqual(await first, [])
    await assert.rejects(queues.poll(VIEWER, removed, undefined, true), BadEventQueueIdError)
    const second = answeredLater(await queues.poll(VIEWER, kept, undefined, true))
    await queues.stop()
    assert.deepEqual(await second, [])
    assert.deepEqual(answeredNow(await queues.poll(VIEWER, kept, undefined, true)), [], 'nobody is parked any more')
  })

  test('serve from the table who is behind what memory holds', async (t) => {
    const { db, start, register } = await begin(t)
    const early = await start()
    const numbers = Array.from({ length: 21_000 }, (_, index) => index + 1)
    const id = await register(early)
    for (let from = 0; from < numbers.length; from += 1500) {
      await db.transaction(async (tx) => {
        for (const number of numbers.slice(from, from + 1500)) append(tx, number)
      })
    }
    const carried = (events: readonly Seen[]) => events.map((event) => event.user_ids?.[0])
    const late = await start()
    assert.deepEqual(carried((await drain(early, id)).flat()), numbers, 'a tail cut short')
    assert.deepEqual(carried((await drain(late, id)).flat()), numbers, 'an empty tail')
  })

  test('answer a long backlog in parts, each acknowledged before the next', async (t) => {
    const { db, start, register } = await begin(t)
    const queues = await start()
    const id = await register(queues)
    const numbers = Array.from({ length: 2500 }, (_, index) => index)
    await db.transaction(async (tx) => {
      for (const number of numbers) append(tx, number)
    })
    const parts = await drain(queues, id)
    const seen = parts.flat()
    assert.deepEqual(
      seen.map((event) => event.user_ids?.[0]),
      numbers,
    )
    assert.deepEqual(
      parts.map((part) => part.length),
      [1000, 1000, 500],
    )
  })

  test('take up queues after a restart where they were last stored', async (t) => {
    const { start, add, register } = await begin(t)
    const before = await start()
    const id = await register(before)
    await add(1, 2)
    const first = answeredNow(await before.poll(VIEWER, id, undefined, false))
    await before.poll(VIEWER, id, first[0]?.id, false)
    await before.stop()
    await add(3)
    const after = await start()
    const left = answeredNow(await after.poll(VIEWER, id, undefined, false))
    assert.deepEqual(
      left.map((event) => event.user_ids?.[0]),
      [2, 3],
    )
  })

  test('see a channel while subscribed, also when subscribed while reading', async (t) => {
    const { db, start, head } = await begin(t)
    const toChannel: Audience = { to: 'channel', channelId: CHANNEL, isPublic: false }
    const subscribe = (userId: UserId) =>
      db.transaction(async (tx) => {
        await tx.subscriptions.subscribe(CHANNEL, [{ id: userId, color: '#000000' }], await tx.events.lockedHead())
        tx.events.append({ type: 'subscription', op: 'add', subscriptions: [] }, { to: 'users', userIds: [userId] })
      })
    const send = (number: number) => db.transaction(async (tx) => append(tx, number, toChannel))
    const position = await head()
    await send(1)
    await subscribe(VIEWER.id)
    await send(2)
    const queues = await start()
    const id = await startingAt(queues, VIEWER, PLAIN, position)
    // What is known of the viewer's subscriptions is dropped while a page is being read from the table.
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

  test('park nobody on a queue that was removed while it was read', async (t) => {
    const { db, start, head } = await begin(t)
    const queues = await start()
    const position = await head()
    await db.transaction(async (tx) => append(tx, 1, { to: 'nobody' }))
    const id = await startingAt(queues, VIEWER, PLAIN, position)
    const { subscriptions } = db.read
    const readSpans = subscriptions.spans.bind(subscriptions)
    t.mock.method(subscriptions, 'spans', async (...userIds: Parameters<typeof readSpans>) => {
      await queues.remove(VIEWER, id)
      return readSpans(...userIds)
    })
    await assert.rejects(queues.poll(VIEWER, id, undefined, true), BadEventQueueIdError)
    assert.deepEqual(queues.counts, { queues: 0, parked: 0 })
  })

  test('expire queues that nobody polls, and no other', async (t) => {
    const { start, pass, register, db } = await begin(t)
    const queues = await start()
    const [idle, polled, parked] = await Promise.all([register(queues), register(queues), register(queues)])
    assert(idle !== undefined && polled !== undefined && parked !== undefined)
    const waiting = await queues.poll(VIEWER, parked, undefined, true)
    pass(IDLE_SECONDS)
    assert.deepEqual(await queues.expire(), [], 'not before the time is over')
    await queues.poll(VIEWER, polled, undefined, false)
    pass(1)
    assert.deepEqual(await queues.expire(), [idle])
    await assert.rejects(queues.poll(VIEWER, idle, undefined, false), BadEventQueueIdError)
    assert.equal((await db.read.queues.all()).length, 2)
    assert(waiting instanceof ParkedPoll && !waiting.isOver)
  })
})

function account(id: UserId, role: typeof VIEWER.role) {
  return {
    id,
    email: `user${id}@parley.example`,
    fullName: `User ${id}`,
    role,
    isBot: false,
    botOwnerId: null,
    canCreateUsers: false,
    dateJoined: 0,
    passwordHash: null,
    apiKeyHash: `hash ${id}`,
    apiKeyEncrypted: '',
  }
}
