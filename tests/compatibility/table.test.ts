import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRed, type Result, tableText } from './table.ts'

const result = (changes: Partial<Result>): Result => ({
  client: 'client',
  what: 'GET /a|b',
  skipped: undefined,
  error: undefined,
  ...changes,
})

test('red is what failed and what was not run', () => {
  const results = [
    result({}),
    result({ skipped: 'not run' }),
    result({ error: Object.assign(new Error('x'), { actual: ['a: absent', 'b: absent'] }) }),
    result({ error: new Error('first\nsecond') }),
  ]
  assert.deepEqual(results.map(isRed), [false, true, true, true])
  const text = tableText(results, 482)
  assert.match(text, /^🔴 3 of 4 do not hold\.$/m)
  const rows = text.split('\n').filter((line) => line.startsWith('| client | 482'))
  assert.deepEqual(rows, [
    '| client | 482 | GET /a\\|b | 🟢 |',
    '| client | 482 | GET /a\\|b | 🔴 not run |',
    '| client | 482 | GET /a\\|b | 🔴 a: absent; b: absent |',
    '| client | 482 | GET /a\\|b | 🔴 first |',
  ])
})

test('the released terminal client needs another level, which does not count as red', () => {
  const text = tableText([result({})], 482)
  assert.match(text, /^All 1 hold\.$/m)
  assert.match(text, /^\| terminal client 0\.7\.0 \(released\) \| ≤ 438 \|/m)
})
