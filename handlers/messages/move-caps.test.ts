import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows, multiplyTopic, userRows } from '../../db/rows-testing.ts'
import type { Session } from '../../db/session.ts'
import { systemClock } from '../../domain/clock.ts'
import type { UserId } from '../../domain/ids.ts'
import { MAX_MOVED_MESSAGES, MAX_MOVED_READS } from '../../domain/limits.ts'
import { presentActor } from '../../permissions/actor.ts'
import type { Write } from '../../permissions/write.ts'
import { RateLimits } from '../../server/rate-limit.ts'
import { onEachDatabase, ownParley } from '../../server/testing.ts'
import { edit, sendAll, topics } from './edits-testing.ts'
import { updateMessage } from './update-message.ts'

const SENT = 100
const QUIET = { propagate_mode: 'change_all', send_notification_to_new_thread: false }

async function addFollowers(session: Session, channelId: number, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => 100_000 + index)
  const of = (more: object) => ids.map((id) => ({ user_id: id, channel_id: channelId, ...more }))
  const look = { is_active: true, color: '#76ce90', is_muted: false, pin_to_top: false }
  await insertRows({ session }, 'user', userRows(ids))
  await insertRows({ session }, 'subscription', of(look))
  await insertRows({ session }, 'subscription_span', of({ after_message_id: 0, after_event_id: 0 }))
}

onEachDatabase('DIFF-MOVES', (dialect) => {
  test('a move takes at most 20,000 messages, 20,000 a minute, and fewer with readers who are left behind', async (t) => {
    let passedMs = 0
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passedMs }
    const server = await ownParley(t, dialect, { rateLimits: true, clock })
    const [mover, author, owner] = [server.as('moderator'), server.as('member'), server.as('owner')]
    const to = await server.newChannel([mover, author])
    await sendAll(author, to.name, 'large', SENT)
    let ids: number[] = []
    await server.inDatabase(async (session) => {
      ids = await multiplyTopic({ session }, { channelId: to.id, topic: 'large' }, MAX_MOVED_MESSAGES)
    })
    assert.equal(ids.length, MAX_MOVED_MESSAGES)
    const [last] = await sendAll(author, to.name, 'large', 1)
    const refused = await edit(mover, ids[0] ?? 0, { topic: 'moved', ...QUIET })
    assert.deepEqual(
      [refused.status, refused.body.msg],
      [400, `More than ${MAX_MOVED_MESSAGES} messages cannot be moved at once`],
    )
    assert.deepEqual(await topics(mover, to.id), ['large'])

    await server.inDatabase((session) =>
      addFollowers(session, to.id, Math.floor(MAX_MOVED_READS / MAX_MOVED_MESSAGES) + 1),
    )
    const away = await server.newChannel([mover, author])
    await mover.must('PATCH', `/messages/${last}`, { topic: 'rest', ...QUIET, propagate_mode: 'change_one' })
    const elsewhere = { stream_id: away.id, ...QUIET }
    assert.equal(
      (await edit(mover, ids[0] ?? 0, elsewhere)).body.msg,
      'So many messages cannot be moved out of a channel with so many followers at once',
    )
    assert.deepEqual((await topics(mover, to.id)).toSorted(), ['large', 'rest'])

    await mover.must('PATCH', `/messages/${ids[0]}`, { topic: 'moved', ...QUIET })
    assert.deepEqual((await topics(mover, to.id)).toSorted(), ['moved', 'rest'])
    const limited = await edit(mover, last ?? 0, { topic: 'later', ...QUIET })
    assert.deepEqual([limited.status, limited.body.code], [429, 'RATE_LIMIT_HIT'])
    assert.ok(limited.body['retry-after'] > 0 && limited.body['retry-after'] <= 60)
    await owner.must('PATCH', `/messages/${last}`, { topic: 'by another', ...QUIET })
    await author.must('PATCH', `/messages/${last}`, { content: 'an edit is no move' })
    passedMs = 61_000
    await mover.must('PATCH', `/messages/${last}`, { topic: 'later', ...QUIET })
    assert.deepEqual((await topics(mover, to.id)).toSorted(), ['later', 'moved'])
  })

  test('G2: edit histories count, because a move rewrites them: 4 KiB as a message', async (t) => {
    const server = await ownParley(t, dialect, { rateLimits: true })
    const mover = server.as('moderator')
    const { name } = await server.newChannel([mover])
    const ids = await sendAll(mover, name, 'much edited', 6)
    await server.inDatabase(async ({ knex }) => {
      const edit_history = JSON.stringify([
        { user_id: mover.userId, timestamp: 1, prev_content: 'y'.repeat(14_000_000) },
      ])
      await knex('message').whereIn('id', ids).update({ edit_history })
    })
    const refused = await edit(mover, ids[0] ?? 0, { topic: 'moved', ...QUIET })
    assert.deepEqual(
      [refused.status, refused.body.msg],
      [400, 'These messages have too many former versions to be moved at once: move some of them'],
    )
    for (const id of ids)
      await mover.must('PATCH', `/messages/${id}`, { topic: 'one', ...QUIET, propagate_mode: 'change_one' })
    assert.equal((await edit(mover, ids[0] ?? 0, { topic: 'two', ...QUIET })).status, 429)
  })

  test('moves in the same commit count each other, and a failed one does not count', async (t) => {
    const server = await ownParley(t, dialect)
    const mover = server.as('moderator')
    const { name, id } = await server.newChannel([mover])
    const ids = await sendAll(mover, name, 'here', 4)
    const { db } = server.parley.inside
    const moves = new RateLimits(systemClock).moves(mover.userId)
    moves.spend(MAX_MOVED_MESSAGES - 3)
    const move = (message: number | undefined, fails = false) => {
      const input = { message_id: message, topic: 'there', ...QUIET, propagate_mode: 'change_one' }
      const write: Write = (body) =>
        db.transaction(async (tx) => {
          const result = await body(tx, await presentActor(tx, mover.userId as UserId))
          if (fails) throw new Error('not written')
          return result
        })
      return updateMessage({ input, db, write, moves } as never)
    }
    await assert.rejects(move(ids[0], true), /not written/)
    const outcomes = await Promise.allSettled(ids.map((one) => move(one)))
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'fulfilled' || String(outcome.reason)),
      [true, true, true, 'RateLimitHitError: API usage exceeded rate limit'],
    )
    assert.deepEqual((await topics(mover, id)).toSorted(), ['here', 'there'])
  })
})
