import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Allowance } from '../domain/allowance.ts'
import { systemClock } from '../domain/clock.ts'
import { holdLoop } from '../event-loop/loop-testing.ts'
import { Rendering } from './rendering.ts'

const fail = (err: unknown): never => assert.fail(String(err))

test('one text at a time takes the event loop, for one account after the other (SEC-RENDER-3)', async () => {
  const rendering = new Rendering(systemClock, fail)
  const done: string[] = []
  const asked = ['a1', 'a2', 'a3', 'b1'].map((name) =>
    rendering.of(name.charCodeAt(0)).inTurn(() => {
      holdLoop()
      done.push(name)
    }),
  )
  const seen: string[][] = []
  for (let count = 0; count < 5; count++) {
    seen.push([...done])
    await turn()
  }
  await Promise.all(asked)
  assert.deepEqual(done, ['a1', 'b1', 'a2', 'a3'])
  for (const [index, names] of seen.entries()) {
    assert.ok(names.length <= index, `${names} after ${index} turns of the loop`)
  }
})

test('the time is charged, and an account without time left is refused before the work (SEC-RENDER-6)', async () => {
  let now = 0
  const rendering = new Rendering({ ...systemClock, monotonic: () => now }, fail)
  let left = 10
  const allowance: Allowance = {
    check: () => {
      if (left <= 0) throw new Error('nothing left')
    },
    spend: (ms) => {
      left -= ms
    },
  }
  const mine = rendering.of(1, allowance)
  const work = () => {
    now += 6
    return 'done'
  }
  assert.equal(await mine.inTurn(work), 'done')
  await assert.rejects(
    mine.inTurn(() => {
      work()
      throw new Error('broken')
    }),
    /broken/,
  )
  await assert.rejects(mine.inTurn(work), /nothing left/)
  assert.deepEqual([left, now], [-2, 12])
  assert.equal(await rendering.of(2).inTurn(work), 'done', 'where nothing limits it')
})
