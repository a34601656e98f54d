import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { isTopic, MAX_TOPIC_LENGTH, normalizeTopicInput } from './topics.ts'

test('(no topic) is an ordinary name in searches', () => {
  assert.equal(normalizeTopicInput('(no topic)'), '(no topic)')
})

test('accept only what it would accept unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (raw) => {
      if (!isTopic(raw)) return
      const topic = normalizeTopicInput(raw)
      assert.ok([...topic].length <= MAX_TOPIC_LENGTH)
      assert.ok(topic.isWellFormed())
      assert.equal(normalizeTopicInput(topic), topic)
    }),
  )
})
