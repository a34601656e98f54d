import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../db/database.ts'
import type { Audience } from '../domain/audience.ts'
import type { SubscriptionSpan } from '../domain/channel.ts'
import type { ChannelId, EventId, UserId } from '../domain/ids.ts'
import type { LoggedEvent } from '../domain/log-event.ts'
import { ROLE } from '../domain/roles.ts'
import { Audiences, type Viewer } from './audience.ts'

const seed = Number(process.env.PARLEY_SEED ?? 482)

/** Only the table of spans, which a test may change at any moment. */
function withSpans(spans: (userIds: readonly UserId[]) => Promise<SubscriptionSpan[]>): Audiences {
  return new Audiences({ read: { subscriptions: { spans } } } as unknown as Database)
}

function span(userId: number, channelId: number, afterEventId: number, toEventId: number | null): SubscriptionSpan {
  const ids = { userId: userId as UserId, channelId: channelId as ChannelId }
  return { ...ids, afterMessageId: 0, toMessageId: null, afterEventId, toEventId }
}

/** The event that tells `userId` of a subscription. */
function subscribed(userId: number): LoggedEvent {
  return {
    id: 1 as EventId,
    width: 1,
    event: { type: 'subscription', op: 'add', subscriptions: [] },
    audience: { to: 'users', userIds: [userId as UserId] },
  }
}

const member: Viewer = { id: 1 as UserId, role: ROLE.member }
const guest: Viewer = { id: 2 as UserId, role: ROLE.guest }

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
    fc.array(tie('audience'), { maxLength: 3 }).map((of): Audience => ({ to: 'any', of })),
  ),
}))

/** Everybody who is meant, one by one. */
function meant(audience: Audience, spans: readonly SubscriptionSpan[], id: number, all: boolean): Set<number> {
  switch (audience.to) {
    case 'everyone':
      return new Set([1, 2])
    case 'members':
      return new Set([1])
    case 'nobody':
      return new Set()
    case 'users':
      return new Set(audience.userIds)
    case 'channel': {
      const followers = spans.filter(
        (one) => one.channelId === audience.channelId && one.afterEventId < id && id <= (one.toEventId ?? id),
      )
      return new Set([...followers.map((one) => one.userId), ...(all && audience.isPublic ? [1] : [])])
    }
    case 'any':
      return new Set(audience.of.flatMap((one) => [...meant(one, spans, id, all)]))
    default:
      return audience satisfies never
  }
}

test('see an event exactly when meant at its position', () =>
  fc.assert(
    fc.asyncProperty(anyAudience, fc.array(anySpan), position, fc.boolean(), async (audience, spans, id, all) => {
      const audiences = withSpans(async (userIds) => spans.filter((one) => userIds.includes(one.userId)))
      await audiences.load([member.id, guest.id])
      const expected = meant(audience, spans, id, all)
      for (const viewer of [member, guest]) {
        assert.equal(audiences.isIn(audience, viewer, id as EventId, all), expected.has(viewer.id))
      }
    }),
    { seed, numRuns: 500 },
  ))

test('forget whose subscriptions changed, and nobody else', async () => {
  const asked: number[][] = []
  const audiences = withSpans(async (userIds) => {
    asked.push([...userIds])
    return []
  })
  await audiences.load([1, 2] as UserId[])
  audiences.follow(subscribed(2))
  assert.deepEqual([audiences.isLoaded(member.id), audiences.isLoaded(guest.id)], [true, false])
  await audiences.load([1, 2] as UserId[])
  assert.deepEqual(asked, [[1, 2], [2]])
})

test('ask again when subscriptions change while they are read', async () => {
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
  await audiences.load([member.id])
  assert(audiences.wasSubscribed(member.id, 2 as ChannelId, 6 as EventId))
})

test('load many users with few questions', async () => {
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
