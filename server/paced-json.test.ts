import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import { JsonPieces } from '../domain/json-pieces.ts'
import { CountedPauses } from '../event-loop/counted-pauses-testing.ts'
import { turnsDuring } from '../event-loop/loop-testing.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { LongAnswer } from './long-answer.ts'
import { isLong, writeInside } from './paced-json.ts'

async function written(value: object, pauses = new Pauses()): Promise<string> {
  const pieces = new JsonPieces()
  pieces.add('{')
  await writeInside(value, pieces, pauses)
  pieces.add('}')
  return Buffer.concat([...pieces.take()]).toString()
}

const MANY = Array.from({ length: 10_000 }, (_, index) => ({ id: index, name: `é ${index}` }))

describe('long answers (SEC-LOOP-3)', () => {
  test('equal the JSON of short ones, byte for byte', () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.string(),
          fc.oneof(
            fc.jsonValue({ maxDepth: 3 }),
            fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 40, maxLength: 90 }),
            fc.dictionary(fc.string(), fc.array(fc.nat(), { maxLength: 120 }), { maxKeys: 80 }),
            fc.constant(undefined),
          ),
          { maxKeys: 60 },
        ),
        async (value) => assert.equal(await written(value), JSON.stringify(value)),
      ),
      { numRuns: 200 },
    ))

  test('may have names with a special meaning elsewhere', async () => {
    const names = ['__proto__', 'constructor', 'toJSON', '', '10', '2', ...MANY.map(({ name }) => name)]
    const value = { storage: Object.fromEntries(names.map((name) => [name, 'text'])) }
    assert.ok(isLong(value))
    assert.equal(await written(value), JSON.stringify(value))
  })

  test('are distinguished from short ones without reading them', () => {
    assert.ok(isLong({ members: MANY }))
    assert.ok(isLong({ unread: { streams: MANY } }))
    assert.ok(isLong({ presences: Object.fromEntries(MANY.map(({ name }) => [name, {}])) }))
    assert.ok(!isLong({ messages: MANY.slice(0, 50), msg: '', count: 3, nothing: null }))
    assert.ok(
      !isLong(Object.fromEntries(MANY.slice(0, 300).map(({ name }) => [name, true]))),
      'what every answer may have',
    )
  })

  test('let others be served after a few items, wherever the list is', async () => {
    for (const value of [
      { members: MANY },
      { unread: { streams: MANY } },
      { presences: Object.fromEntries(MANY.entries()) },
    ]) {
      const pauses = new CountedPauses()
      await written(value, pauses)
      assert.ok(pauses.count >= MANY.length / 20, `${pauses.count} times`)
    }
  })

  test('end when their client has left', async () => {
    let hasLeft = false
    let items = 0
    const item = {
      toJSON() {
        const start = performance.now()
        while (performance.now() - start < 1);
        hasLeft = true
        items += 1
        return 1
      },
    }
    const value = { members: Array.from({ length: 1000 }, () => item) }
    await assert.rejects(written(value, new Pauses({ hasLeft: () => hasLeft })), { code: 'BAD_REQUEST' })
    assert.ok(items < 1000)
  })

  test('are sent in pieces, with turns for others, and freed during sending', async (t) => {
    const pieces = new JsonPieces()
    for (let count = 0; count < 100; count += 1) pieces.add('é'.repeat(64 * 1024))
    const answer = new LongAnswer(pieces)
    const { bytes } = answer
    assert.equal(bytes, 100 * 2 * 64 * 1024)
    let read = 0
    const turns = await turnsDuring(t, async () => {
      for await (const piece of answer) {
        assert.ok(piece.length <= 256 * 1024)
        read += piece.length
      }
    })
    assert.equal(read, bytes)
    assert.equal(pieces.bytes, 0)
    assert.ok(turns >= 10, `${turns} turns`)
  })
})

test('a short answer stays one text', () => {
  const pieces = new JsonPieces()
  pieces.add('"messages":[')
  pieces.add(']')
  assert.equal(pieces.short, '"messages":[]')
  pieces.add('x'.repeat(64 * 1024))
  assert.equal(pieces.short, undefined)
})
