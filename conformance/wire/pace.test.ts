import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from './pace.ts'

/** A pace whose clock only moves while it waits. */
function paceOf(): { pace: Pace; waited: number[]; clock: { now: number } } {
  const clock = { now: 1_800_000_000_000 }
  const waited: number[] = []
  const pace = new Pace(
    () => clock.now,
    async (ms) => {
      waited.push(ms)
      clock.now += ms
    },
  )
  return { pace, waited, clock }
}

const answer = (status: number, headers: Record<string, string>, body: unknown = {}) => ({
  status,
  headers: new Headers(headers),
  body,
})

test('know how many requests are left', async () => {
  const { pace, clock } = paceOf()
  for (let count = 0; count < 30; count += 1) await pace.turn('a')
  assert.equal(pace.left('a'), Infinity)
  pace.learn('a', answer(200, { 'x-ratelimit-remaining': '150' }))
  assert.deepEqual([pace.left('a'), pace.left('b')], [160, 190])
  pace.learn('a', answer(429, { 'retry-after': '7' }))
  assert.equal(pace.left('a'), 0)
  clock.now += 60_000
  assert.equal(pace.left('a'), 190)
})

test('never wait for a server without limits', async () => {
  const { pace, waited } = paceOf()
  for (let count = 0; count < 1000; count += 1) await pace.turn('a')
  assert.deepEqual([waited, pace.isLimited], [[], false])
})

for (const [account, most] of [
  ['a', 200],
  ['', 100],
] as const) {
  test(`send fewer than ${most} requests a minute as ${account || 'nobody'} once there are limits`, async () => {
    const { pace, clock } = paceOf()
    pace.learn(account, answer(200, { 'x-ratelimit-remaining': '150' }))
    const times: number[] = []
    for (let count = 0; count < 500; count += 1) {
      await pace.turn(account)
      times.push(clock.now)
    }
    const busiest = Math.max(
      ...times.map((start) => times.filter((time) => time >= start && time < start + 60_000).length),
    )
    assert.ok(busiest < most, `${busiest} within a minute`)
    assert.ok(clock.now - (times[0] ?? 0) < 60_000 * Math.ceil(500 / 85), 'and not far fewer')
  })
}

test('one account waits while others continue', async () => {
  const { pace, waited } = paceOf()
  pace.learn('a', answer(429, { 'retry-after': '2.5' }))
  await pace.turn('b')
  assert.deepEqual(waited, [])
  await pace.turn('a')
  assert.deepEqual(waited, [2500])
})

test('read the time to wait from the body if the header is missing', async () => {
  const { pace, waited } = paceOf()
  assert.equal(pace.learn('a', answer(429, {}, { 'retry-after': 1.5 })), 1500)
  await pace.turn('a')
  assert.deepEqual(waited, [1500])
})

test('stop before the last request of a window is spent', async () => {
  const { pace, waited, clock } = paceOf()
  const reset = String(clock.now / 1000 + 30)
  pace.learn('a', answer(200, { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': reset }))
  await pace.turn('a')
  assert.deepEqual(waited, [])
  pace.learn('a', answer(200, { 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': reset }))
  await pace.turn('a')
  assert.deepEqual(waited, [30_000])
})
