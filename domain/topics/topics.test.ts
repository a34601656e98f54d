import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { MAX_TOPIC_LENGTH, normalizeTopicInput } from './topics.ts'

test('(no topic) is a name where something is looked for', () => {
  assert.deepEqual(normalizeTopicInput('(no topic)'), { ok: true, value: '(no topic)' })
})

test('accept only what it would accept unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (raw) => {
      const result = normalizeTopicInput(raw)
      if (!result.ok) return
      assert.ok([...result.value].length <= MAX_TOPIC_LENGTH)
      assert.ok(result.value.isWellFormed())
      assert.deepEqual(normalizeTopicInput(result.value), result)
    }),
  )
})
