import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, describe, mock, test } from 'node:test'
import { Busboy } from '@fastify/busboy'
import { loopTurns } from '../event-loop/loop-turns.ts'
import { MAX_PARTS, Multipart } from './multipart.ts'

const PART = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'
const FILE = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
const END = '--b--\r\n'
const CHUNK_BYTES = 65_536

afterEach(() => mock.restoreAll())

/**
 * Parses `body`, sent at once, and stops at the first failure, or when `isEnough` returns true for a part's file name.
 */
function parsed(body: string, party: number, isEnough = (_fileName?: string) => false) {
  const writes = mock.method(Busboy.prototype, '_write').mock
  const request = Object.assign(new PassThrough({ highWaterMark: 2 * CHUNK_BYTES }), {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  const names: (string | undefined)[] = []
  let fileBytes = 0
  const { promise: outcome, resolve } = Promise.withResolvers<unknown>()
  const parts = new Multipart(request as unknown as IncomingMessage, party, {
    onPart(name, bytes, fileName) {
      names.push(name)
      bytes.on('data', (chunk: Buffer) => {
        fileBytes += chunk.length
      })
      if (!isEnough(fileName)) return
      parts.stop()
      resolve('enough')
    },
    onEnd: () => resolve('end'),
    onFailure(reason) {
      parts.stop()
      resolve(reason)
    },
  })
  request.end(body)
  return {
    outcome,
    request,
    names,
    fileBytes: () => fileBytes,
    /** Sizes of the pieces that the parser got. */
    pieces: () => writes.calls.map((call: { arguments: unknown[] }) => (call.arguments[0] as Buffer).length),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

describe('a multipart body (SEC-LOOP-5)', () => {
  test('is parsed in pieces, up to the part that is too large', async () => {
    const { outcome, names, pieces, request } = parsed(PART.repeat(15_000) + END, 1)
    assert.match(String(await outcome), new RegExp(`more than ${MAX_PARTS} parts`))
    if (!request.readableEnded) await new Promise((resolve) => request.on('end', resolve))
    assert.equal(names.length, MAX_PARTS)
    assert.ok(Math.max(...pieces()) <= 4096, 'as much at once as may hold 80 parts')
    assert.ok(sum(pieces()) <= (MAX_PARTS + 1) * PART.length + 4096, 'and nothing of the rest')
  })

  test('is not parsed further after its reader has had enough', async () => {
    const { outcome, pieces, names } = parsed(FILE + 'x'.repeat(CHUNK_BYTES), 1, (fileName) => fileName === 'x')
    assert.equal(await outcome, 'enough')
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    assert.deepEqual([names, pieces()], [['f'], [4096]])
  })

  test('has one piece in a late turn, however many bodies an account sends, and others begin between', async () => {
    const parse = Busboy.prototype._write
    let now = 0
    let turns = 0
    mock.method(performance, 'now', () => now)
    const slowly = mock.fn(function (this: InstanceType<typeof Busboy>, ...args: Parameters<typeof parse>) {
      now += 6
      parse.apply(this, args)
    })
    mock.method(Busboy.prototype, '_write', slowly)
    const bodies = [1, 2, 3].map(() => parsed(`${FILE}${'x'.repeat(20_000)}\r\n${END}`, 1))
    const all = Promise.all(bodies.map(({ outcome }) => outcome))
    let isOver = false
    void all.then(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise(setImmediate)
      turns += 1
      assert.equal(loopTurns.begin(2), undefined)
    }
    assert.deepEqual(await all, ['end', 'end', 'end'])
    assert.equal(slowly.mock.callCount(), 15)
    assert.ok(turns >= 14, `15 pieces in ${turns} turns`)
  })

  test('a file larger than the kept part arrives completely', async () => {
    const { outcome, fileBytes } = parsed(`${FILE}${'x'.repeat(1_000_000)}\r\n${END}`, 1)
    assert.equal(await outcome, 'end')
    assert.equal(fileBytes(), 1_000_000)
  })
})
