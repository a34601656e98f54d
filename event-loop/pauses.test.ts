import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdLoop } from './loop-testing.ts'
import { Pauses } from './pauses.ts'

test('pause after work, not before', async () => {
  let turns = 0
  const pauses = new Pauses()
  setImmediate(() => turns++)
  await pauses.letOthers()
  assert.equal(turns, 0, 'nothing was done yet')
  holdLoop()
  await pauses.letOthers()
  assert.equal(turns, 1)
})

test('end as soon as nobody waits any more', async () => {
  let hasLeft = false
  const pauses = new Pauses({ hasLeft: () => hasLeft })
  holdLoop()
  await pauses.letOthers()
  hasLeft = true
  holdLoop()
  await assert.rejects(pauses.letOthers(), { code: 'BAD_REQUEST' })
})
