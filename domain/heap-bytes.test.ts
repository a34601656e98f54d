import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heapBytes } from './heap-bytes.ts'
import { heapInUse } from './heap-testing.ts'

/** The median of five measurements, because other changes of the heap distort single ones. */
function measured(json: string, copies: number): number {
  const found = Array.from({ length: 5 }, () => measuredOnce(json, copies)).toSorted((a, b) => a - b)
  return found[2] ?? 0
}

/** Memory of one of `copies` of the parsed JSON, in bytes. */
function measuredOnce(json: string, copies: number): number {
  const before = heapInUse()
  const kept = Array.from({ length: copies }, () => JSON.parse(json))
  const bytes = heapInUse() - before
  assert.equal(kept.length, copies)
  return bytes / copies
}

const numbers = Array.from({ length: 400 }, (_, index) => index * 7)

for (const [what, value] of Object.entries({
  text: { content: 'Lunch at noon? '.repeat(100) },
  'text beyond Latin-1': { content: '→ café ✓'.repeat(100) },
  'short texts': numbers.map((number) => `text of its own, ${number}`),
  numbers,
  pairs: numbers.map((number) => [number, 1]),
  'objects of one shape': numbers.map((id) => ({ id, name: 'x', is_new: true })),
  'a dictionary': Object.fromEntries(numbers.map((number) => [`${number}`, { type: 'stream', unmuted: true }])),
  'empty things': numbers.map(() => [{}, []]),
})) {
  test(`estimate the memory of ${what}: not less than it is, and not many times as much`, () => {
    const found = measured(JSON.stringify(value), 200)
    const estimated = heapBytes(value)
    assert(estimated >= found * 0.85 && estimated <= found * 3, `${estimated} bytes, of which ${Math.round(found)} are`)
  })
}
