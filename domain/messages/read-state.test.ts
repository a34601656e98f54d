import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import {
  BLOCK_SIZE,
  blockOf,
  isComplete,
  isRead,
  type ReadBlock,
  settledBlock,
  unreadIds,
  withRead,
  withUnread,
} from './read-state.ts'

const offset = fc.integer({ min: 0, max: BLOCK_SIZE - 1 })
const someOffsets = fc.uniqueArray(offset, { minLength: 1, maxLength: 20 })
const step = fc.record({ isReading: fc.boolean(), offsets: someOffsets })
const readThroughs = fc.oneof(fc.integer({ min: 0, max: 5_000_000 }), fc.integer({ min: 4000, max: 9000 }))

test('reading and marking as unread change the given messages, and no others', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 2 })),
      fc.option(fc.uniqueArray(offset, { maxLength: 400 }), { nil: undefined }),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.array(offset, { minLength: 20, maxLength: 20 }),
      readThroughs,
      (blockNumber, settledWith, steps, probes, readThrough) => {
        const start = blockNumber * BLOCK_SIZE
        let block: ReadBlock | undefined = settledWith && settledBlock(settledWith)
        const isReadOf = new Map<number, boolean>()
        for (const { isReading, offsets } of steps) {
          const ids = offsets.map((one) => start + one)
          block = isReading ? withRead(block, ids, readThrough) : withUnread(block, ids, readThrough)
          for (const one of offsets) isReadOf.set(one, isReading)
        }
        for (const probe of [...probes, ...isReadOf.keys()]) {
          const before = settledWith ? !settledWith.includes(probe) : start + probe <= readThrough
          assert.equal(isRead(start + probe, readThrough, block), isReadOf.get(probe) ?? before)
        }
      },
    ),
  )
})

test('settling before or after reading makes no difference', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(offset, { maxLength: 600 }),
      fc.array(step, { maxLength: 4 }),
      readThroughs,
      (received, steps, readThrough) => {
        const start = 2 * BLOCK_SIZE
        const ids = received.map((one) => start + one)
        const settle = (block: ReadBlock | undefined) =>
          settledBlock(ids.filter((id) => !isRead(id, readThrough, block)).map((id) => id - start))
        let open: ReadBlock | undefined
        let settled = settle(undefined)
        for (const { isReading, offsets } of steps) {
          // Only received messages can be read or flagged.
          const marked = offsets.map((one) => start + one).filter((id) => ids.includes(id))
          if (marked.length === 0) continue
          const change = isReading ? withRead : withUnread
          open = change(open, marked, readThrough)
          settled = change(settled, marked, readThrough)
        }
        assert.deepEqual(settle(open), settled)
      },
    ),
  )
})

test('both settled forms have the same unread offsets', () => {
  fc.assert(
    fc.property(fc.uniqueArray(offset, { maxLength: 600 }), offset, (unread, probe) => {
      const block = settledBlock(unread)
      assert.equal(block.form, unread.length > 256 ? 2 : 1)
      assert.equal(isRead(probe, 0, block), !unread.includes(probe))
      const expected = unread.toSorted((a, b) => a - b).map((one) => 7 * BLOCK_SIZE + one)
      assert.deepEqual(unreadIds(7, block), expected)
      assert.equal(isComplete(block), unread.length === 0)
    }),
  )
})

test('a block in which everything was read keeps its short form', () => {
  const end = 3 * BLOCK_SIZE
  const block = withUnread(undefined, [BLOCK_SIZE + 7], end)
  assert.deepEqual([block.form, [...block.bits]], [1, [7, 0]])
  assert.ok(isComplete(withRead(block, [BLOCK_SIZE + 7], end)))
  assert.equal(unreadIds(1, withRead(undefined, [BLOCK_SIZE + 7], 0)), undefined, 'an open block knows no unread ids')
})

test('ids far above 2^31 keep their block', () => {
  assert.equal(blockOf(2 ** 40), 2 ** 28)
})
