import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heapInUse } from '../domain/heap-testing.ts'
import { WindowCounter } from './window-counter.ts'

/** A counter of three a minute, with a clock that the test moves. */
function begin() {
  const time = { wall: 1_767_225_600_000, elapsed: 5000 }
  const clock = { now: () => time.wall, monotonic: () => time.elapsed }
  const pass = (seconds: number): void => {
    time.wall += seconds * 1000
    time.elapsed += seconds * 1000
  }
  return { time, pass, counter: new WindowCounter({ count: 3, windowSeconds: 60 }, clock) }
}

test('count each key separately, from its first count to the end of the window', () => {
  const { pass, counter } = begin()
  assert.deepEqual(counter.add('a'), { isOver: false, remaining: 2, msLeft: 60_000 })
  pass(10)
  assert.deepEqual(counter.add('b'), { isOver: false, remaining: 2, msLeft: 60_000 })
  assert.deepEqual(counter.add('a', 2), { isOver: false, remaining: 0, msLeft: 50_000 })
  assert.deepEqual(counter.add('a'), { isOver: true, remaining: 0, msLeft: 50_000 })
  pass(50)
  assert.deepEqual(counter.add('a'), { isOver: false, remaining: 2, msLeft: 60_000 })
  assert.deepEqual(counter.add('b'), { isOver: false, remaining: 1, msLeft: 10_000 })
})

for (const [name, ms] of [
  ['back', -3_600_000],
  ['forward', 3_600_000],
] as const) {
  test(`keep the window as it is when somebody sets the clock ${name}`, () => {
    const { time, pass, counter } = begin()
    counter.add('a', 3)
    time.wall += ms
    assert.deepEqual(counter.add('a'), { isOver: true, remaining: 0, msLeft: 60_000 })
    pass(60)
    assert.equal(counter.add('a').isOver, false)
  })
}

test('keep nothing of keys whose window has ended', () => {
  const { pass, counter } = begin()
  for (let index = 0; index < 1000; index += 1) counter.add(`key ${index}`)
  pass(60)
  counter.add('a')
  assert.equal(counter.size, 1)
})

test('SEC-MEM-4: keep a limited number of keys, and no long ones', () => {
  const { counter } = begin()
  const before = heapInUse()
  for (let index = 0; index < 60_000; index += 1) counter.add(`${index} `.padEnd(1000, 'x'))
  const grown = heapInUse() - before
  assert.equal(counter.size, 50_000)
  assert(grown < 20_000_000, `${grown} bytes`)
  const [long, longer] = ['x'.repeat(100), 'x'.repeat(101)]
  counter.add(long, 3)
  assert.deepEqual([counter.add(long).isOver, counter.add(longer).isOver], [true, false], 'each for itself')
})
