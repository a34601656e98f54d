import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { Shares } from './shares.ts'

/** Takes bytes one by one while there is room. */
function fill(shares: Shares, party: string): number {
  let bytes = 0
  for (; shares.hasRoom(party, 1); bytes += 1) shares.take(party, 1)
  return bytes
}

test('each gets an eighth of what is free (SEC-HTTP-3)', () => {
  const shares = new Shares(8100)
  assert.deepEqual([fill(shares, 'a'), fill(shares, 'b')], [900, 800])
  shares.giveBack('a', 900)
  assert.deepEqual([shares.held, fill(shares, 'a')], [800, 811])
})

test('twenty with their maximum leave a tenth of everything to the next (SEC-HTTP-3)', () => {
  const shares = new Shares(100_000)
  for (let party = 0; party < 20; party += 1) fill(shares, String(party))
  assert.ok(100_000 - shares.held > 9000, String(shares.held))
  assert.ok(fill(shares, 'next') > 1000)
})

test('the total is limited, and what is returned is free again', () => {
  const step = fc.record({ party: fc.nat(5), bytes: fc.integer({ min: 1, max: 100 }) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const shares = new Shares(1000)
      const taken: { party: number; bytes: number }[] = []
      for (const { party, bytes } of steps) {
        if (!shares.hasRoom(party, bytes)) continue
        shares.take(party, bytes)
        taken.push({ party, bytes })
        assert.ok(shares.held < 1000)
      }
      for (const { party, bytes } of taken) shares.giveBack(party, bytes)
      assert.equal(shares.held, 0)
      assert.ok(shares.hasRoom('new', 111) && !shares.hasRoom('new', 112))
    }),
  )
})
