import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownCapabilities } from './queue-descriptor.ts'

test('keep known capabilities', () => {
  const sent = { empty_topic_name: true, archived_channels: false, from_the_future: 'x'.repeat(1000) }
  assert.deepEqual(knownCapabilities(sent), { empty_topic_name: true })
})
