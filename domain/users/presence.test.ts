import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterHiding, afterReport, isOffline, statusOf, toLegacyPresence } from './presence.ts'

const NOW = 1_767_430_800
const times = (activeAt: number, connectedAt: number) => ({ activeAt, connectedAt })

test('a report replaces what is older than 55 seconds', () => {
  assert.deepEqual(afterReport(undefined, 'active', NOW), times(NOW, NOW))
  assert.deepEqual(afterReport(undefined, 'idle', NOW), times(0, NOW))
  const before = times(NOW - 55, NOW - 55)
  assert.deepEqual(afterReport(before, 'active', NOW), times(NOW, NOW))
  assert.deepEqual(afterReport(before, 'idle', NOW), times(NOW - 55, NOW))
  const recent = times(NOW - 54, NOW - 54)
  assert.equal(afterReport(recent, 'active', NOW), undefined)
  assert.equal(afterReport(recent, 'idle', NOW), undefined)
})

test('times of a clock that was ahead are ignored', () => {
  const ahead = times(NOW + 1000, NOW + 1000)
  assert.deepEqual(afterReport(ahead, 'active', NOW), times(NOW, NOW))
  assert.deepEqual(afterReport(ahead, 'idle', NOW), times(0, NOW))
  assert.ok(isOffline(ahead, NOW))
  assert.deepEqual(afterHiding(ahead, NOW), times(NOW - 201, NOW - 201))
  // Processes' clocks differ by seconds.
  assert.equal(afterReport(times(NOW + 5, NOW + 5), 'active', NOW), undefined)
})

test('an idle user becomes active at once', () => {
  assert.deepEqual(afterReport(times(NOW - 300, NOW - 1), 'active', NOW), times(NOW, NOW))
  assert.deepEqual(afterReport(times(0, NOW - 1), 'active', NOW), times(NOW, NOW))
})

test('offline after 200 seconds without a report', () => {
  assert.ok(isOffline(undefined, NOW))
  assert.ok(!isOffline(times(0, NOW - 200), NOW))
  assert.ok(isOffline(times(NOW - 201, NOW - 201), NOW))
})

test('the older format has one status and its time', () => {
  assert.deepEqual(statusOf(times(NOW, NOW)), { status: 'active', timestamp: NOW })
  assert.deepEqual(statusOf(times(NOW - 60, NOW)), { status: 'active', timestamp: NOW - 60 })
  assert.deepEqual(statusOf(times(NOW - 61, NOW)), { status: 'idle', timestamp: NOW })
  assert.deepEqual(statusOf(times(0, NOW)), { status: 'idle', timestamp: NOW })
  assert.deepEqual(toLegacyPresence(times(NOW, NOW)), {
    aggregated: { client: 'website', status: 'active', timestamp: NOW },
    website: { client: 'website', status: 'active', timestamp: NOW, pushable: false },
  })
})
