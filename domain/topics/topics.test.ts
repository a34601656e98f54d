import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  MAX_TOPIC_LENGTH,
  normalizeTopicInput,
  normalizeTopicToSendTo,
  topicForOutput,
} from './topics.ts'

function accepted(raw: string): string {
  const result = normalizeTopicInput(raw)
  assert.ok(result.ok, raw)
  return result.value
}

test('trim a topic', () => {
  assert.equal(accepted(' lunch \n'), 'lunch')
  assert.equal(accepted('  '), '')
})

test('read the display name as the empty topic', () => {
  assert.equal(accepted(EMPTY_TOPIC_DISPLAY_NAME), '')
  assert.equal(accepted(` ${EMPTY_TOPIC_DISPLAY_NAME} `), '')
  assert.equal(accepted(`${EMPTY_TOPIC_DISPLAY_NAME}!`), `${EMPTY_TOPIC_DISPLAY_NAME}!`)
})

test('cut a topic over the limit, and only then', () => {
  const longest = '😀'.repeat(MAX_TOPIC_LENGTH)
  assert.equal(accepted(longest), longest)
  assert.equal(accepted(`${longest}a`), `${'😀'.repeat(MAX_TOPIC_LENGTH - 3)}...`)
})

test('refuse control characters, and say where they are', () => {
  // U+2028: DIFF-SEPARATORS
  for (const character of ['\0', '\n', '\t', '\x1b', '\x85', '\u2028', '\u2029']) {
    const message = 'Invalid character in topic, at position 3!'
    assert.deepEqual(normalizeTopicInput(`  a😀${character}b`), { ok: false, message })
  }
})

test('(no topic) is the empty topic where something is sent, and a name where something is looked for', () => {
  assert.deepEqual(normalizeTopicToSendTo(' (no topic) '), { ok: true, value: '' })
  assert.deepEqual(normalizeTopicToSendTo('(No topic)'), { ok: true, value: '(No topic)' })
  assert.deepEqual(normalizeTopicInput('(no topic)'), { ok: true, value: '(no topic)' })
  assert.deepEqual(normalizeTopicToSendTo('a\0'), normalizeTopicInput('a\0'))
})

test('show the empty topic by its name unless asked', () => {
  assert.equal(topicForOutput('', false), EMPTY_TOPIC_DISPLAY_NAME)
  assert.equal(topicForOutput('', true), '')
  assert.equal(topicForOutput('a', false), 'a')
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
