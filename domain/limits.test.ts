import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as limits from './limits.ts'

test('send a heartbeat before clients give up (LIMIT-10)', () => {
  const latestHeartbeatSeconds = limits.HEARTBEAT_BASE_SECONDS + limits.HEARTBEAT_SPREAD_SECONDS
  assert.ok(latestHeartbeatSeconds < limits.LONG_POLL_TIMEOUT_SECONDS)
})

test('keep a queue at least over several polls', () => {
  assert.ok(limits.LONG_POLL_TIMEOUT_SECONDS * 2 < limits.DEFAULT_QUEUE_IDLE_SECONDS)
  assert.ok(limits.DEFAULT_QUEUE_IDLE_SECONDS < limits.MOBILE_QUEUE_IDLE_SECONDS)
  assert.ok(limits.MOBILE_QUEUE_IDLE_SECONDS < limits.MAX_QUEUE_IDLE_SECONDS)
})

test('call somebody offline only after several missed pings', () => {
  assert.ok(limits.PRESENCE_OFFLINE_THRESHOLD_SECONDS > 3 * limits.PRESENCE_PING_INTERVAL_SECONDS)
})
