import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import { FairQueue } from './fair-queue.ts'

function all<Item>(queue: FairQueue<Item>): Item[] {
  const items: Item[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

test('everybody has turns, each in their own order (SEC-RENDER-3)', () => {
  const queue = new FairQueue<string>(100)
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(1, name)
  queue.add(2, 'b1')
  queue.add(3, 'c1')
  queue.add(2, 'b2')
  assert.equal(queue.size, 7)
  assert.deepEqual(all(queue), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  assert.equal(queue.size, 0)
})

test('a newcomer waits for one of each, however many they have waiting', () => {
  const queue = new FairQueue<string>(100)
  for (let index = 0; index < 50; index++) queue.add(1, `a${index}`)
  assert.equal(queue.take(), 'a0')
  queue.add(2, 'b')
  assert.deepEqual([queue.take(), queue.take()], ['a1', 'b'])
})

test('the newest entry of the account with most of them is dropped (SEC-RENDER-3)', () => {
  const queue = new FairQueue<string>(3)
  for (const name of ['a1', 'a2', 'a3']) assert.equal(queue.add(1, name), undefined)
  assert.equal(queue.add(1, 'a4'), 'a4')
  assert.equal(queue.add(2, 'b1'), 'a3')
  assert.equal(queue.add(3, 'c1'), 'a2')
  assert.equal(queue.add(4, 'd1'), 'd1', 'where all have one, whoever comes last')
  assert.deepEqual(all(queue), ['a1', 'b1', 'c1'])
})

test('nothing is lost or duplicated, and the limit of waiting entries holds', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(4))), fc.integer({ min: 1, max: 8 }), (steps, limit) => {
      const queue = new FairQueue<number>(limit)
      const left: number[] = []
      steps.forEach((owner, step) => {
        const item = owner === null ? queue.take() : queue.add(owner, step)
        if (item !== undefined) left.push(item)
        assert.ok(queue.size <= limit)
      })
      const added = steps.flatMap((owner, step) => (owner === null ? [] : [step]))
      assert.deepEqual(
        [...left, ...all(queue)].toSorted((a, b) => a - b),
        added,
      )
    }),
  )
})
