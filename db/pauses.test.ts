import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pauses } from './pauses.ts'

/** Longer than anybody has to wait. */
function work(): void {
  const start = performance.now()
  while (performance.now() - start < 15);
}

test('pause after work, not before', async () => {
  let turns = 0
  const pauses = new Pauses()
  setImmediate(() => turns++)
  await pauses.letOthers()
  assert.equal(turns, 0, 'nothing was done yet')
  work()
  await pauses.letOthers()
  assert.equal(turns, 1)
})

test('end when nobody waits any more, as soon as that is known', async () => {
  let hasLeft = false
  const pauses = new Pauses(() => hasLeft)
  work()
  await pauses.letOthers()
  hasLeft = true
  work()
  await assert.rejects(pauses.letOthers(), { code: 'BAD_REQUEST' })
})
