import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beyondAll, type Range, type RangeRequest, rangeOf } from './range.ts'

const matching = [3, 5, 7, 9].map((id) => ({ id, isUnread: id > 5 }))

function range(anchor: RangeRequest['anchor'], before: number, after: number, includeAnchor = true): unknown[] {
  return told(rangeOf(matching, { anchor, before, after, includeAnchor }))
}

function told({ ids, anchor, foundAnchor, foundOldest, foundNewest }: Range): unknown[] {
  return [ids, anchor, foundAnchor, foundOldest, foundNewest]
}

test('the anchor is there beside what is before and after it', () => {
  assert.deepEqual(range(5, 1, 1), [[3, 5, 7], 5, true, undefined, false])
  assert.deepEqual(range(5, 2, 4), [[3, 5, 7, 9], 5, true, true, true])
  assert.deepEqual(range(5, 0, 0), [[5], 5, true, false, false])
  assert.deepEqual(range(9, 1, 0, false), [[7], 9, false, false, undefined])
})

test('an anchor that does not match is only a place', () => {
  assert.deepEqual(range(6, 1, 1), [[5, 7], 6, false, false, false])
  assert.deepEqual(range(100, 2, 2), [[7, 9], 100, false, false, true])
  assert.deepEqual(range(beyondAll, 2, 2), [[7, 9], beyondAll, false, false, true])
})

test('the ends have nothing beyond them', () => {
  assert.deepEqual(range('newest', 2, 3), [[7, 9], beyondAll, false, false, true])
  assert.deepEqual(range('oldest', 3, 2), [[3, 5], 0, false, true, false])
  assert.deepEqual(range('newest', 5, 0), [[3, 5, 7, 9], beyondAll, false, true, true])
  assert.deepEqual(range('oldest', 0, 4), [[3, 5, 7, 9], 0, false, true, undefined])
})

test('the first unread is the anchor, or the newest where all is read', () => {
  assert.deepEqual(range('first_unread', 1, 1), [[5, 7, 9], 7, true, false, undefined])
  const read = matching.map(({ id }) => ({ id, isUnread: false }))
  const request = { anchor: 'first_unread', before: 1, after: 1, includeAnchor: true } as const
  assert.deepEqual(told(rangeOf(read, request)), [[9], beyondAll, false, false, true])
})

test('where older ones are unknown the end is not said to be found', () => {
  const ofSome = (before: number): unknown[] =>
    told(rangeOf(matching, { anchor: 'newest', before, after: 0, includeAnchor: true }, false))
  assert.deepEqual(ofSome(3), [[5, 7, 9], beyondAll, false, false, true])
  assert.deepEqual(ofSome(6), [[3, 5, 7, 9], beyondAll, false, undefined, true])
})
