import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES, knownEventTypes } from './event-types.ts'

test('keep the types that exist, each once', () => {
  assert.deepEqual(knownEventTypes(['realm_user', 'unknown', 'message', 'message', '', 'Message']), [
    'message',
    'realm_user',
  ])
  assert.deepEqual(knownEventTypes([]), [])
  assert.deepEqual(knownEventTypes(EVENT_TYPES), EVENT_TYPES)
})
