import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc, seed } from '../conformance/seed-testing.ts'
import type { Database } from '../db/database.ts'
import type { SubscriptionSpan } from '../domain/channels/channel.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../domain/ids.ts'
import { isGuest, ROLE, type RoleHistory, roleAt } from '../domain/users/roles.ts'
import { Audiences } from './audience.ts'
import type { Queue } from './event-queue.ts'
import { ParkedQueues } from './parked-queues.ts'

/** Audiences over tables of spans and roles alone, which a test may change at any time. */
function withSpans(
  spans: (userIds: readonly UserId[]) => Promise<SubscriptionSpan[]>,
  roles: ReadonlyMap<UserId, RoleHistory> = new Map(),
): Audiences {
  const users = { roleHistories: async () => roles }
  return new Audiences({ read: { subscriptions: { spans }, users } } as unknown as Database)
}

/** Uses the same numbers for messages and events: the first message after event 3 is number 4. */
function span(userId: number, channelId: number, afterEventId: number, toEventId: number | null): SubscriptionSpan {
  const ids = { userId: userId as UserId, channelId: channelId as ChannelId }
  return {
    ...ids,
    afterMessageId: afterEventId as number as MessageId,
    toMessageId: toEventId as number as MessageId | null,
    afterEventId,
    toEventId,
  }
}

type Followed = Parameters<Audiences['follow']>[0]

/** The event about the end of subscriptions, which users share. */
function unsubscribed(...userIds: readonly number[]): Followed {
  return { ...subscribed(...userIds), event: { type: 'subscription', op: 'remove', subscriptions: [] } }
}

/** The event about new subscriptions, which users share. */
function subscribed(...userIds: readonly number[]): Followed {
  return {
    event: { type: 'subscription', op: 'add', subscriptions: [] },
    audience: { to: 'users', userIds: userIds as readonly UserId[] },
  }
}

const one = { id: 1 as UserId }
const two = { id: 2 as UserId }

const position = fc.nat({ max: 8 })
const anySpan = fc
  .record({
    userId: fc.integer({ min: 1, max: 2 }),
    channelId: fc.integer({ min: 1, max: 2 }),
    from: position,
    to: fc.option(position),
  })
  .map(({ userId, channelId, from, to }) => span(userId, channelId, from, to))
const { audience: anyAudience } = fc.letrec<{ audience: Audience }>((tie) => ({
  audience: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Audience>({ to: 'everyone' }, { to: 'members' }, { to: 'nobody' }),
    fc.subarray([1, 2, 3]).map((ids): Audience => ({ to: 'users', userIds: ids as UserId[] })),
    fc
      .record({ id: fc.integer({ min: 1, max: 2 }), isPublic: fc.boolean() })
      .map(({ id, isPublic }): Audience => ({ to: 'channel', channelId: id as ChannelId, isPublic })),
    fc
      .record({
        id: fc.integer({ min: 1, max: 2 }),
        messageId: position,
        further: fc.option(fc.nat({ max: 3 })),
        among: fc.option(fc.subarray([1, 2, 3])),
      })
      .map(
        ({ id, messageId, further, among }): Audience => ({
          to: 'recipients',
          channelId: id as ChannelId,
          messageId: messageId as MessageId,
          ...(further !== null && { upTo: (messageId + further) as MessageId }),
          ...(among && { among: among as UserId[] }),
        }),
      ),
    fc.array(tie('audience'), { maxLength: 3 }).map((of): Audience => ({ to: 'any', of })),
    fc.tuple(tie('audience'), tie('audience')).map(([of, without]): Audience => ({ to: 'difference', of, without })),
  ),
}))

const anyRole = fc.constantFrom(ROLE.member, ROLE.guest)
/** Roles before and after up to two changes. */
const anyRoles: fc.Arbitrary<RoleHistory> = fc.record({
  role: anyRole,
  former: fc
    .array(fc.record({ role: anyRole, toEventId: position }), { maxLength: 2 })
    .map((changes) => changes.toSorted((a, b) => a.toEventId - b.toEventId)),
})

interface World {
  readonly spans: readonly SubscriptionSpan[]
  readonly roles: ReadonlyMap<UserId, RoleHistory>
  /** True if queues ask for all public channels. */
  readonly all: boolean
}

/** Lists everybody in the audience, checking each user separately. */
function meant(audience: Audience, { spans, roles, all }: World, id: number): Set<number> {
  const members = [...roles].filter(([, history]) => !isGuest(roleAt(history, id))).map(([userId]) => userId as number)
  switch (audience.to) {
    case 'everyone':
      return new Set([1, 2])
    case 'members':
      return new Set(members)
    case 'roles': {
      const holders = [...roles].filter(([, history]) => audience.roles.includes(roleAt(history, id)))
      return new Set(holders.map(([userId]) => userId))
    }
    case 'nobody':
      return new Set()
    case 'users':
      return new Set(audience.userIds)
    case 'channel': {
      const followers = spans.filter(
        (span) => span.channelId === audience.channelId && span.afterEventId < id && id <= (span.toEventId ?? id),
      )
      return new Set([...followers.map((span) => span.userId), ...(all && audience.isPublic ? members : [])])
    }
    case 'recipients': {
      const { channelId, messageId, upTo = messageId } = audience
      const got = spans.filter(
        (one) =>
          one.channelId === channelId &&
          one.afterMessageId < upTo &&
          (one.toMessageId === null || messageId <= one.toMessageId),
      )
      const recipients = new Set(got.map((one) => one.userId as number)).intersection(new Set(members))
      return audience.among ? recipients.intersection(new Set<number>(audience.among)) : recipients
    }
    case 'any':
      return new Set(audience.of.flatMap((part) => [...meant(part, { spans, roles, all }, id)]))
    case 'difference':
      return meant(audience.of, { spans, roles, all }, id).difference(
        meant(audience.without, { spans, roles, all }, id),
      )
    default:
      return audience satisfies never
  }
}

const anyWorld: fc.Arbitrary<World> = fc.record({
  spans: fc.array(anySpan),
  roles: fc.tuple(anyRoles, anyRoles).map(([a, b]) => new Map([[one.id, a] as const, [two.id, b] as const])),
  all: fc.boolean(),
})

test('see exactly the events that are meant for them at their position and role, and are found by them', () =>
  fc.assert(
    fc.asyncProperty(anyAudience, anyWorld, position, async (audience, world, id) => {
      const ofUsers = async (userIds: readonly UserId[]) => world.spans.filter((span) => userIds.includes(span.userId))
      const audiences = withSpans(ofUsers, world.roles)
      await audiences.load([one.id, two.id])
      const expected = meant(audience, world, id)
      const parked = new ParkedQueues()
      const queues = [one, two].map(({ id }) => ({ userId: id, descriptor: { allPublicChannels: world.all } }) as Queue)
      for (const queue of queues) parked.add(queue)
      const concerned = new Set<Queue>()
      parked.concernedBy([{ audience }], audiences, concerned)
      for (const queue of queues) {
        const { userId } = queue
        assert.equal(audiences.isIn(audience, userId, id as EventId, world.all), expected.has(userId))
        assert.ok(concerned.has(queue) || !expected.has(userId), 'who sees it is found')
      }
    }),
    { seed, numRuns: 500 },
  ))

test('forget users whose subscriptions changed, and nobody else', async () => {
  const asked: number[][] = []
  const audiences = withSpans(async (userIds) => {
    asked.push([...userIds])
    return []
  })
  await audiences.load([1, 2] as UserId[])
  audiences.follow(subscribed(2))
  assert.deepEqual([audiences.isLoaded(one.id), audiences.isLoaded(two.id)], [true, false])
  await audiences.load([1, 2] as UserId[])
  audiences.follow(unsubscribed(1))
  assert.deepEqual([audiences.isLoaded(one.id), audiences.isLoaded(two.id)], [false, true])
  await audiences.load([1, 2] as UserId[])
  assert.deepEqual(asked, [[1, 2], [2], [1]])
  audiences.follow(unsubscribed(1, 2))
  assert.deepEqual([audiences.isLoaded(one.id), audiences.isLoaded(two.id)], [false, false])
})

test('read again if subscriptions change meanwhile', async () => {
  let table = [span(1, 1, 0, null)]
  let isFirst = true
  const audiences = withSpans(async () => {
    const found = table
    if (isFirst) {
      isFirst = false
      table = [...table, span(1, 2, 5, null)]
      audiences.follow(subscribed(1))
    }
    return found
  })
  await audiences.load([one.id])
  assert(audiences.wasSubscribed(one.id, 2 as ChannelId, 6 as EventId))
})

test('load many users with few statements', async () => {
  let questions = 0
  const audiences = withSpans(async (userIds) => {
    questions += 1
    assert(userIds.length <= 500)
    return userIds.map((id) => span(id, 1, id, null))
  })
  const ids = Array.from({ length: 1201 }, (_, index) => (index + 1) as UserId)
  await audiences.load(ids)
  assert.equal(questions, 3)
  for (const id of ids) {
    assert.equal(audiences.wasSubscribed(id, 1 as ChannelId, id as number as EventId), false)
    assert.equal(audiences.wasSubscribed(id, 1 as ChannelId, (id + 1) as EventId), true)
  }
})
