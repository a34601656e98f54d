import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContract } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { unknown } from './register.ts'
import { writtenBy } from './writes.ts'

const operation = readContract().operations.get('update-message-flags-for-narrow') ?? assert.fail()

function starsAfter(first: number | null, last: number | null): unknown[] {
  const values = new Map([
    ['flag', 'starred'],
    ['op', 'add'],
  ])
  const exchange = { body: { first_processed_id: first, last_processed_id: last } } as Exchange
  const written = writtenBy(operation, values, { caller: 7, people: () => undefined }, exchange)
  return written.map(({ thing, value }) => [thing.name, value])
}

test('a narrow with a single message stars that message', () => {
  assert.deepEqual(starsAfter(5, 5), [['starred messages of user 7: 5', true]])
  assert.deepEqual(starsAfter(null, null), [])
})

test('a narrow with several messages leaves unknown which of them were starred', () => {
  assert.deepEqual(
    starsAfter(5, 7),
    [5, 6, 7].map((id) => [`starred messages of user 7: ${id}`, unknown]),
  )
})

function topicAfter(topic: Record<string, string>): unknown {
  const sending = readContract().operations.get('send-message') ?? assert.fail()
  const values = new Map(Object.entries({ type: 'stream', to: 'design', content: 'Hello.', ...topic }))
  const written = writtenBy(sending, values, { caller: 7, people: () => undefined }, { body: { id: 5 } } as Exchange)
  return written.find(({ thing }) => thing.name === 'topic of message 5')?.value
}

test('a topic is known under its old parameter name, unless it is a name of the empty topic', () => {
  assert.equal(topicAfter({ topic: 'logo' }), 'logo')
  assert.equal(topicAfter({ subject: 'logo' }), 'logo')
  assert.equal(topicAfter({ topic: '(no topic)' }), unknown)
  assert.equal(topicAfter({ topic: '' }), unknown)
})
