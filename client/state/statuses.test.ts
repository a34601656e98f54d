import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEvents } from './apply-events.ts'

test('a status without text and emoji ends, whatever else its event has', () => {
  const event = { id: 0, type: 'user_status', user_id: 1, status_text: '', emoji_name: '', trace: 'abc' }
  const { user_status: left } = applyEvents({ user_id: 2, user_status: { 1: { status_text: 'out' } } }, [event])
  assert.deepEqual(left, {})
})
