/** Bodies arrive in turns of the event loop (SEC-LOOP-6). */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, mock, type TestContext, test } from 'node:test'
import { LoopTurns, loopTurns, type Party } from '../../event-loop/loop-turns.ts'
import { bareServer, KIB, withBody } from '../bare-server-testing.ts'
import { head, open } from '../raw-connection-testing.ts'
import { sharedParley } from '../testing.ts'
import { arriveInTurns } from './body-turns.ts'

/** Turns given by the test: `give` lets one waiting body go on. */
class GivenTurns extends LoopTurns {
  readonly waiting: { party: Party | undefined; go: () => void }[] = []
  #come: () => void = () => undefined

  override begin(party: Party | undefined): Promise<void> {
    return new Promise((go) => {
      this.waiting.push({ party, go })
      this.#come()
    })
  }

  async give(): Promise<Party | undefined> {
    if (this.waiting.length === 0) await new Promise<void>((resolve) => (this.#come = resolve))
    const first = this.waiting.shift()
    first?.go()
    return first?.party
  }
}

async function requestWith(t: TestContext, bytes: string): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  const send = await bareServer(t, (request) => resolve(request))
  send(bytes)
  return promise
}

describe('a body that arrives in turns', () => {
  for (const [how, headers] of [
    ['with its length', `Content-Length: ${1000 * KIB}`],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ]) {
    test(`${how}: one read for each turn`, async (t) => {
      const turns = new GivenTurns()
      const body = 'x'.repeat(1000 * KIB)
      const sent = how === 'in chunks' ? `${(1000 * KIB).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
      const request = await requestWith(t, `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${sent}`)
      const reads: number[] = []
      request.on('data', (chunk: Buffer) => reads.push(chunk.length))
      arriveInTurns(request, 7, turns)
      const ended = once(request, 'end')
      let given = 0
      const isOver = ended.then(() => true)
      while (!(await Promise.race([isOver, turns.give().then((party) => void assert.equal(party, 7))]))) {
        given += 1
        assert.ok(reads.length <= given, `${reads.length} reads for ${given} turns`)
      }
      assert.equal(
        reads.reduce((sum, length) => sum + length, 0),
        1000 * KIB,
      )
      // The system reads 64 KiB at a time.
      assert.ok(given >= 10, `${given} turns`)
    })
  }

  test('is not delayed if it arrived completely', async (t) => {
    const turns = new GivenTurns()
    const request = await requestWith(t, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=b')
    arriveInTurns(request, 7, turns)
    await once(request, 'end')
    assert.equal(turns.waiting.length, 0)
  })

  test('is not read further if nobody reads it', async (t) => {
    const turns = new GivenTurns()
    const request = await requestWith(t, withBody(1000))
    const stop = arriveInTurns(request, 7, turns)
    await once(request, 'data')
    stop()
    await turns.give()
    await new Promise(setImmediate)
    assert.ok(request.isPaused())
  })
})

describe('bodies of requests', () => {
  const parley = sharedParley('sqlite')

  test('wait for turns of their sender while being read', async () => {
    const server = await parley()
    const { userId } = server.as('guest')
    const taken = Promise.withResolvers<void>()
    let turns = 0
    const { begin } = LoopTurns.prototype
    const counted = mock.method(loopTurns, 'begin', (party: Party | undefined) => {
      if (party === userId) turns += 1
      if (turns === 8) taken.resolve()
      return begin.call(loopTurns, party)
    })
    const body = `content=${'x'.repeat(900 * KIB)}`
    const headers = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`]
    const socket = open(server, head(server, 'POST /api/v1/messages/render', 'guest', ...headers) + body)
    await taken.promise
    socket.destroy()
    counted.mock.restore()
  })
})
