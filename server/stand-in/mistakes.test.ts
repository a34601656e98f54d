import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { TestedClient } from './client-testing.ts'
import { type JournalEntry, type StandIn, startParley } from './library.ts'
import { mistakesOf as mistakesIn } from './mistakes.ts'

const OTHER = 'somebody else'

/** Runs the work of a client, and returns its mistakes. */
async function mistakesOf(work: (parley: StandIn, client: TestedClient) => Promise<unknown>) {
  await using parley = await startParley()
  await work(parley, new TestedClient(parley, await parley.newUser()))
  const found = await parley.mistakes()
  if (found.length === 0) await parley.expectNoMistakes()
  else await assert.rejects(parley.expectNoMistakes(), new RegExp(found[0]?.rule ?? OTHER))
  await parley.expectNoMistakes({ except: found.map(({ rule }) => rule) })
  return found.map(({ rule, request }) => `${rule} ${request.number}`)
}

/** Somebody writes to the client. */
function tell(parley: StandIn, client: TestedClient) {
  return parley.as('member').must('POST', '/messages', { type: 'direct', to: [client.account.userId], content: 'x' })
}

/** Polls until there is something, and returns its position. */
async function told(parley: StandIn, client: TestedClient, queue: { queue_id: string; last_event_id: string }) {
  await tell(parley, client)
  const { events } = (await client.poll(queue)).body
  return { ...queue, last_event_id: String(events.at(-1).id) }
}

// A plain case of each rule is in docs/testing-clients.md, whose samples guide.test.ts runs.
describe('mistakes of a client', () => {
  test('a client that follows its events correctly makes none, throughout', async () => {
    const found = await mistakesOf(async (parley, client) => {
      const first = await client.queue()
      const last = await told(parley, client, await told(parley, client, first))
      await parley.expireQueues()
      await client.poll(last)
      const second = await client.queue()
      await told(parley, client, second)
      // One immediate retry is right, because an idle connection may have been closed.
      const third = await client.queue()
      await parley.failNext({ operation: 'get-events', drop: true })
      await client.poll(third).catch(() => undefined)
      await told(parley, client, { ...third, last_event_id: '-1' })
      await parley.limitRates(0)
      await client.me()
      await parley.limitRates(null)
      await parley.advance(60_000)
      await client.me()
    })
    assert.deepEqual(found, [])
  })

  test('last_event_id does not advance', async () => {
    const found = await mistakesOf(async (parley, client) => {
      const queue = await client.queue()
      await told(parley, client, queue)
      await client.poll(queue, { dont_block: 'true' })
      await client.poll({ ...queue, last_event_id: '' }, { dont_block: 'true' })
    })
    assert.deepEqual(found, ['event-not-acknowledged 3', 'event-not-acknowledged 4'])
  })

  test('last_event_id of one queue is used for another', async () => {
    const found = await mistakesOf(async (parley, client) => {
      const last = await told(parley, client, await client.queue())
      await parley.expireQueues()
      await tell(parley, client)
      const { queue_id } = await client.queue()
      await client.poll({ ...last, queue_id }, { dont_block: 'true' })
    })
    assert.deepEqual(found, ['event-id-of-another-queue 4'])
  })

  test('U8: it is no mistake if nothing happened between the two, whether the first was polled or not', async () => {
    for (const isPolled of [true, false]) {
      const found = await mistakesOf(async (_, client) => {
        const { last_event_id, ...first } = await client.queue()
        if (isPolled) await client.poll({ ...first, last_event_id }, { dont_block: 'true' })
        const second = await client.queue()
        await client.poll({ ...second, last_event_id }, { dont_block: 'true' })
      })
      assert.deepEqual(found, [`event-id-of-another-queue ${isPolled ? 4 : 3}`])
    }
  })

  test('U8: queues are registered repeatedly without a pause', async () => {
    const found = await mistakesOf(async (parley, client) => {
      for (const _ of [1, 2, 3]) await client.queue()
      await parley.advance(1000)
      for (const _ of [1, 2]) await client.queue()
      await told(parley, client, await client.queue())
      await client.queue()
    })
    assert.deepEqual(found, ['register-without-pause 3', 'register-without-pause 6'])
  })

  test('a poll that its client gave up is not one of two', async () => {
    const found = await mistakesOf(async (parley, client) => {
      const queue = await client.queue()
      const given = new AbortController()
      const { answer } = await client.waitingPoll(parley, queue, given.signal)
      given.abort()
      await answer.catch(() => undefined)
      while ((await parley.requests())[1]?.outcome === 'waiting') await setImmediate()
      await told(parley, client, queue)
    })
    assert.deepEqual(found, [])
  })

  test('polls follow dropped ones without a pause', async () => {
    const found = await mistakesOf(async (parley, client) => {
      const queue = await client.queue()
      await parley.failNext({ operation: 'get-events', drop: true, times: 3 })
      for (const _ of [1, 2, 3]) await client.poll(queue).catch(() => undefined)
      await parley.advance(1000)
      await client.poll(queue, { dont_block: 'true' })
    })
    assert.deepEqual(found, ['poll-without-pause 4'])
  })

  test('a poll of each of two queues, retried at once, is no mistake', async () => {
    const found = await mistakesOf(async (parley, client) => {
      const queues = [await client.queue(), await client.queue()]
      await parley.failNext({ operation: 'get-events', status: 500, times: 2 })
      for (const queue of [...queues, ...queues]) await client.poll(queue, { dont_block: 'true' })
    })
    assert.deepEqual(found, [])
  })

  test('refused files and different keys are no mistakes, and the same key is one', async () => {
    const found = await mistakesOf(async (parley, client) => {
      const url = `${parley.url}/api/v1/users/me`
      for (const picture of ['one', 'two', 'three']) {
        const body = new FormData()
        body.append('file', new File([picture], 'picture.png'))
        const headers = { Authorization: client.account.authorization }
        assert.equal((await fetch(`${url}/avatar`, { method: 'POST', headers, body })).status, 400)
      }
      for (const key of ['one', 'two', 'three', 'three', 'three']) {
        await fetch(url, { headers: { Authorization: `Basic ${btoa(`${client.account.email}:${key}`)}` } })
      }
    })
    assert.deepEqual(found, ['refusal-repeated 8'])
  })

  test('Retry-After is ignored', async () => {
    const found = await mistakesOf(async (parley, client) => {
      await parley.failNext({ status: 429, retryAfter: 30 })
      await client.me()
      await parley.advance(29_000)
      await client.me()
    })
    assert.deepEqual(found, ['retry-after-ignored 2'])
  })

  test('the key is in a URL', async () => {
    const found = await mistakesOf(async (parley, client) => {
      await client.call('GET', '/users/me', { api_key: client.account.apiKey })
      const [entry] = await parley.requests()
      assert.ok(!JSON.stringify(entry).includes(client.account.apiKey))
    })
    assert.deepEqual(found, ['key-in-url 1'])
  })
})

test('a client that heard hundreds of thousands of events is judged like every other', () => {
  const poll = (number: number, last: number, ids: readonly number[]): JournalEntry => ({
    number,
    operation: 'get-events',
    method: 'GET',
    path: '/api/v1/events',
    hasKeyInUrl: false,
    parameters: { queue_id: 'q', last_event_id: String(last) },
    variant: '',
    user: 1,
    client: '',
    at: number,
    ended: number,
    outcome: 'answered',
    status: 200,
    code: null,
    retryAfter: null,
    answer: { events: ids.map((id) => ({ id })) },
  })
  const many = Array.from({ length: 300_000 }, (_, index) => index)
  const polls = [poll(1, -1, many), poll(2, 299_999, []), poll(3, 299_998, [])]
  assert.deepEqual(
    mistakesIn(polls).map(({ rule, request }) => [rule, request.number]),
    [['event-not-acknowledged', 3]],
  )
})
