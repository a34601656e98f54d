import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BLOCK_SIZE, blockOf, isRead, type ReadBlock, withRead } from './read-state.ts'

const offset = fc.integer({ min: 0, max: BLOCK_SIZE - 1 })

test('what was read is read, and nothing else became so', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1000 }),
      fc.array(fc.uniqueArray(offset, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
      offset,
      fc.integer({ min: 0, max: 5_000_000 }),
      (blockNumber, rounds, probe, readThrough) => {
        const start = blockNumber * BLOCK_SIZE
        let block: ReadBlock | undefined
        for (const round of rounds) {
          const ids = round.map((one) => start + one)
          block = withRead(block, ids, readThrough)
        }
        const read = new Set(rounds.flat())
        assert.equal(isRead(start + probe, readThrough, block), read.has(probe) || start + probe <= readThrough)
      },
    ),
  )
})

test('both settled forms tell the same as the list of unread offsets', () => {
  fc.assert(
    fc.property(fc.uniqueArray(offset, { maxLength: 300 }), offset, (unread, probe) => {
      const sorted = unread.toSorted((a, b) => a - b)
      const list = Uint8Array.from(sorted.flatMap((one) => [one & 255, one >> 8]))
      const bitmap = new Uint8Array(BLOCK_SIZE / 8)
      for (const one of sorted) bitmap[one >> 3] = (bitmap[one >> 3] ?? 0) | (1 << (one & 7))
      const expected = !unread.includes(probe)
      assert.equal(isRead(probe, 0, { form: 1, bits: list }), expected)
      assert.equal(isRead(probe, 0, { form: 2, bits: bitmap }), expected)
      assert.equal(isRead(probe, 0, withRead({ form: 1, bits: list }, [probe], 0)), true)
    }),
  )
})

test('ids far above 2^31 keep their block', () => {
  assert.equal(blockOf(2 ** 40), 2 ** 28)
})
