import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LoopTurns, type Party } from './loop-turns.ts'

/**
 * Records named pieces of work with the turn of the event loop in which each ran. Each takes `ms` on a simulated clock.
 */
function pieces(ms: number) {
  let now = 0
  let turn = 0
  const turns = new LoopTurns(() => now)
  const done: string[] = []
  const count = (): void => {
    turn += 1
    if (turn < 1000) setImmediate(count)
  }
  setImmediate(count)
  const doIt = (name: string): void => {
    now += ms
    done.push(`${name}@${turn}`)
  }
  return {
    turns,
    async begin(party: Party | undefined, name: string) {
      await turns.begin(party)
      // Simulates code that awaits values which are already available, so that it does not yield the loop.
      for (let step = 0; step < 10; step += 1) await undefined
      doIt(name)
    },
    async goOn(party: Party | undefined, name: string) {
      await turns.next(party)
      for (let step = 0; step < 10; step += 1) await undefined
      doIt(name)
    },
    done,
    /** Names in the order in which they ran, grouped by turn. */
    async byTurn(expected: number) {
      while (done.length < expected) await new Promise(setImmediate)
      turn = 1000
      const names = Map.groupBy(done, (one) => one.split('@')[1])
      return [...names.values()].map((some) => some.map((one) => one.split('@')[0]).join(' '))
    },
  }
}

describe('turns of the event loop (SEC-LOOP-2)', () => {
  test('one long piece of an account in a turn, however many begin or continue at once', async () => {
    const { begin, goOn, byTurn } = pieces(8)
    await begin(1, 'a1')
    for (const name of ['a2', 'a3']) void goOn(1, name)
    for (const name of ['a4', 'a5']) void begin(1, name)
    assert.deepEqual(await byTurn(5), ['a1', 'a2', 'a3', 'a4', 'a5'])
  })

  test('a party that has not worked in this turn begins at once, whatever others have waiting', async () => {
    const { begin, goOn, byTurn } = pieces(8)
    await begin(1, 'a1')
    void goOn(1, 'a2')
    void begin(1, 'a3')
    await begin(2, 'b1')
    await begin('an address', 'c1')
    assert.deepEqual(await byTurn(5), ['a1 b1 c1', 'a2', 'a3'])
  })

  test('waiting parties continue in turn, one piece of each', async () => {
    const { goOn, byTurn } = pieces(8)
    for (const name of ['a1', 'a2', 'a3', 'a4']) void goOn(1, name)
    for (const name of ['b1', 'b2']) void goOn(2, name)
    void goOn(undefined, 'server')
    assert.deepEqual(await byTurn(7), ['a1', 'b1', 'server', 'a2', 'b2', 'a3', 'a4'])
  })

  test('short pieces share a turn for a few milliseconds', async () => {
    const { begin, goOn, byTurn } = pieces(2)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) await begin(1, name)
    for (const name of ['a8', 'a9', 'a10', 'a11']) void goOn(1, name)
    assert.deepEqual(await byTurn(11), ['a1 a2 a3', 'a4 a5 a6', 'a7 a8 a9', 'a10 a11'])
  })

  test('nothing continues while connections are accepted, for a hundred turns at most', async () => {
    const { turns, goOn, done, byTurn } = pieces(8)
    void goOn(1, 'a1')
    for (let turn = 0; turn < 100; turn += 1) {
      turns.arrived()
      await new Promise(setImmediate)
      assert.deepEqual(done, [], `in turn ${turn}`)
    }
    void goOn(1, 'a2')
    turns.arrived()
    while (done.length === 0) await new Promise(setImmediate)
    assert.deepEqual(await byTurn(2), ['a1', 'a2'])
  })
})
