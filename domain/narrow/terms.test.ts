import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_NARROW_TERMS, parseNarrow } from './terms.ts'

const senders = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ operator: 'sender', operand: index + 1, negated: true }))

test('SEC-NARROW-2: refuses more than 20 different conditions, with the limit', () => {
  assert.equal(parseNarrow(senders(MAX_NARROW_TERMS)).length, 20)
  assert.throws(() => parseNarrow(senders(MAX_NARROW_TERMS + 1)), {
    code: 'BAD_NARROW',
    data: { desc: 'narrow has 21 different conditions, at most 20 are allowed' },
  })
})

test('SEC-NARROW-2: counts equal conditions once, in any spelling', () => {
  const repeated = Array.from({ length: 100 }, () => ['stream', 'general'])
  assert.deepEqual(parseNarrow([...repeated, { operator: 'channel', operand: 'general', negated: false }]), [
    { operator: 'channel', operand: 'general', negated: false },
  ])
  const different = [
    { operator: 'sender', operand: 1 },
    { operator: 'sender', operand: 1, negated: true },
    { operator: 'sender', operand: '1' },
    { operator: 'dm-including', operand: 1 },
  ]
  assert.equal(parseNarrow([...different, ...different]).length, different.length)
})
