import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './differences.ts'

test('name each difference by where it is, at most eight', () => {
  const told = { mentions: [1, 2], subscriptions: { 7: { color: '#000', is_muted: false } }, settings: {} }
  const is = { mentions: [1], subscriptions: { 7: { color: '#fff', is_muted: false }, 8: {} }, settings: {} }
  assert.deepEqual(differences(told, is), [
    ...['mentions is [1], and was told as [1,2]', 'subscriptions.7.color is "#fff", and was told as "#000"'],
    'subscriptions.8 is {}, and was told as absent',
  ])
  assert.deepEqual(differences(told, structuredClone(told)), [])
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, index]))
  assert.equal(differences(many, {}).length, 8)
})
