import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { readContract } from '../wire/contract.ts'
import { Http } from '../wire/http.ts'
import { Pace } from '../wire/pace.ts'
import { Account } from './account.ts'
import { EventQueue } from './event-queue.ts'

const patienceMs = 20

/** An account whose requests get `answers` one after the other. Waits for rate limits exceed the patience. */
function accountWith(answers: readonly { status?: number; body: unknown; afterMs?: number }[]): {
  account: Account
  asked: string[]
} {
  const asked: string[] = []
  const rest = answers.values()
  const pace = new Pace(Date.now, () => delay(2 * patienceMs))
  const http = new Http('http://127.0.0.1', pace, {
    patienceMs,
    sender: async (url, { method }) => {
      asked.push(`${method} ${new URL(url).pathname}`)
      const { status = 200, body, afterMs = 0 } = rest.next().value ?? { body: { result: 'success' } }
      if (afterMs > 0) await delay(afterMs)
      return new Response(JSON.stringify(body), { status })
    },
  })
  const profile = { userId: 7, role: 'member', isBot: false, fullName: 'A' } as const
  return { account: new Account(http, readContract(), { email: 'a@example.com', apiKey: 'k' }, profile), asked }
}

const registered = { body: { result: 'success', queue_id: 'q', last_event_id: -1 } }
const event = { id: 0, type: 'message' }
const told = { body: { result: 'success', events: [event] } }
const refused = { status: 429, body: { result: 'error', code: 'RATE_LIMIT_HIT', 'retry-after': 0.001 } }

test('U3: patience for an event does not include waiting for the server’s rate limits', async () => {
  const { account } = accountWith([registered, refused, refused, told])
  const queue = await EventQueue.open(account, { event_types: ['message'] })
  const { event: came } = await queue.until({ type: 'message' })
  assert.deepEqual(came, event)
})

test('U3: an event that arrives after the patience has not arrived', async () => {
  const { account, asked } = accountWith([registered, { ...told, afterMs: 2 * patienceMs }])
  const queue = await EventQueue.open(account, { event_types: ['message'] })
  const { event: came, lacked } = await queue.until({ type: 'message' })
  assert.deepEqual([came, lacked, asked.at(-1)], [undefined, 'no event came', 'DELETE /api/v1/events'])
})

test('U3: a server that answers at once without events is not polled forever', async () => {
  const nothing = Array.from({ length: 1500 }, () => ({ body: { result: 'success', events: [] } }))
  const { account, asked } = accountWith([registered, ...nothing])
  const queue = await EventQueue.open(account, { event_types: ['message'] })
  const { event: came } = await queue.until({ type: 'message' })
  assert.deepEqual([came, asked.length <= 1002], [undefined, true])
})
