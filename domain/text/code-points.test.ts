import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { cutTo, endOfCodePoint, isLongerThan } from './code-points.ts'

const anyText = fc.string({ unit: 'binary' })

test('compare lengths in code points', () => {
  assert.equal(isLongerThan('😀😀', 2), false)
  assert.equal(isLongerThan('😀😀a', 2), true)
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, max) => assert.equal(isLongerThan(text, max), [...text].length > max)),
  )
})

test('end after whole code points', () => {
  assert.equal(endOfCodePoint('a😀b', 2), 3)
  assert.equal(endOfCodePoint('ab', 5), 2)
})

test('cut to exactly the limit without splitting pairs', () => {
  assert.equal(cutTo('😀😀😀😀😀', 4, '...'), '😀...')
  fc.assert(
    fc.property(anyText, fc.integer({ min: 3, max: 20 }), (text, max) => {
      const cut = cutTo(text, max, '...')
      assert.ok(cut.isWellFormed())
      assert.equal([...cut].length, Math.min([...text].length, max))
    }),
  )
})
