import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import { sharedParley } from '../../server/testing.ts'
import { groundOf, listen, read, send } from './edits-testing.ts'

/** While true, a second passes whenever the clock is read. */
let isRunning = false
let passedMs = 0
const clock = {
  ...systemClock,
  now: () => {
    if (isRunning) passedMs += 1000
    return Date.now() + passedMs
  },
}

const ground = groundOf(sharedParley('sqlite', { clock }))

test('message, history and event of a change have the same time, however long it takes (MSG-EDIT-26)', async () => {
  const { mover, to } = await ground()
  const id = await send(mover, 'before', { to, topic: 'from' })
  const queue = await listen(mover, ['update_message'])
  isRunning = true
  await mover.must('PATCH', `/messages/${id}`, { topic: 'into', content: 'after' })
  isRunning = false
  const [event] = await queue()
  const { edit_history, last_edit_timestamp, last_moved_timestamp } = await read(mover, id)
  const at = event?.edit_timestamp
  assert.ok(Number.isInteger(at))
  assert.deepEqual([edit_history[0].timestamp, last_edit_timestamp, last_moved_timestamp], [at, at, at])
})
