import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { RateLimitHitError } from '../../domain/errors.ts'
import { Turns } from './turns.ts'

const client = (): Socket => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as Socket

/** Starts a request, and records its name when it has begun. */
function requests(turns: Turns) {
  const begun: string[] = []
  return {
    begun,
    async ask(name: string, socket = client()) {
      if (await turns.begin(name.slice(0, 1), socket)) begun.push(name)
    },
    /** The requests that have begun, once all that can have. */
    async settled() {
      await new Promise(setImmediate)
      return begun.join(' ')
    },
  }
}

describe('turns (SEC-HTTP-6)', () => {
  test('an account has one, more after small answers up to its maximum, and others pass', async () => {
    const turns = new Turns({ all: 10, perAccount: 3 }, () => true)
    const { ask, settled } = requests(turns)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1']) void ask(name)
    assert.equal(await settled(), 'a1 b1')
    assert.deepEqual(turns.counts, { running: 2, waiting: 6 })
    turns.end('a', false)
    assert.equal(await settled(), 'a1 b1 a2 a3')
    turns.end('a', false)
    assert.equal(await settled(), 'a1 b1 a2 a3 a4 a5')
    turns.end('a', false)
    assert.equal(await settled(), 'a1 b1 a2 a3 a4 a5 a6')
    turns.end('b', false)
    assert.equal(turns.counts.running, 3)
  })

  test('an account has one again after a large answer', async () => {
    const turns = new Turns({ all: 10, perAccount: 3 }, () => true)
    const { ask, settled } = requests(turns)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask(name)
    turns.end('a', false)
    assert.equal(await settled(), 'a1 a2 a3')
    turns.end('a', true)
    assert.equal(await settled(), 'a1 a2 a3')
    turns.end('a', true)
    assert.equal(await settled(), 'a1 a2 a3 a4')
    // A request that waits for its client has no answer yet.
    turns.end('a')
    assert.equal(await settled(), 'a1 a2 a3 a4 a5')
  })

  test('waiting requests begin in turn, however many an account has', async () => {
    const turns = new Turns({ all: 1, perAccount: 1 }, () => true)
    const { ask, settled, begun } = requests(turns)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void ask(name)
    for (let turn = 0; turn < 7; turn += 1) {
      await settled()
      turns.end(begun.at(-1)?.slice(0, 1) ?? '', false)
    }
    assert.equal(await settled(), 'a1 a2 b1 c1 a3 b2 a4')
    assert.deepEqual(turns.counts, { running: 0, waiting: 0 })
  })

  test('a request whose client left does not begin', async () => {
    const turns = new Turns({ all: 1, perAccount: 1 }, () => true)
    const { ask, settled } = requests(turns)
    const gone = client()
    void ask('a1')
    void ask('a2', gone)
    void ask('a3')
    gone.emit('close')
    turns.end('a')
    assert.equal(await settled(), 'a1 a3')
    assert.equal(gone.listenerCount('close'), 0)
  })

  test('a request that may not begin yet waits, and delays nobody else', async () => {
    let mayBegin = false
    const turns = new Turns({ all: 5, perAccount: 5 }, (party) => party !== 'a' || mayBegin)
    const { ask, settled } = requests(turns)
    for (const name of ['a1', 'a2', 'b1']) void ask(name)
    assert.equal(await settled(), 'b1')
    mayBegin = true
    turns.proceed()
    assert.equal(await settled(), 'b1 a1')
    turns.end('a', false)
    assert.equal(await settled(), 'b1 a1 a2')
  })

  test('too many waiting requests are refused (429), of this account only', async () => {
    const turns = new Turns({ all: 2, perAccount: 1 }, () => true)
    for (let count = 0; count < 1201; count += 1) void turns.begin(1, client())
    assert.throws(() => turns.begin(1, client()), RateLimitHitError)
    assert.equal(turns.begin(2, client()), true)
  })
})
