import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { started } from './client-testing.ts'

describe('failNext', () => {
  test('answers the next requests of an operation with a status', async (t) => {
    const { parley, client } = await started(t)
    await parley.failNext({ operation: 'get-own-user', status: 500, times: 2 })
    assert.equal((await client.call('GET', '/server_settings')).status, 200)
    assert.equal((await parley.as('member').get('/users/me')).status, 200)
    const { status, body } = await client.me()
    assert.deepEqual([status, body.code], [500, 'INTERNAL_SERVER_ERROR'])
    assert.equal((await client.me()).status, 500)
    assert.equal((await client.me()).status, 200)
  })

  test('answers with a code and its fields, with both, or like a proxy', async (t) => {
    const { parley, client } = await started(t)
    await parley.failNext({ code: 'RATE_LIMIT_HIT', retryAfter: 7 })
    await parley.failNext({ code: 'USER_DEACTIVATED' })
    await parley.failNext({ code: 'REALM_DEACTIVATED', status: 403 })
    await parley.failNext({ status: 429 })
    await parley.failNext({ status: 502 })
    const limited = await client.me()
    assert.deepEqual([limited.status, limited.headers.get('Retry-After'), limited.body['retry-after']], [429, '7', 7])
    assert.deepEqual(
      [(await client.me()).body.code, (await client.me()).body.code],
      ['USER_DEACTIVATED', 'REALM_DEACTIVATED'],
    )
    assert.equal((await client.me()).body.code, 'RATE_LIMIT_HIT')
    assert.match((await client.me()).text, /<h1>502 Bad Gateway/)
    await parley.failNext({ code: 'BAD_EVENT_QUEUE_ID' })
    const { status, body } = await client.poll({ queue_id: 'mine', last_event_id: '-1' })
    assert.deepEqual([status, body.queue_id], [400, 'mine'])
    await parley.failNext({ code: 'BAD_EVENT_QUEUE_ID' })
    assert.equal((await client.call('DELETE', '/events', { queue_id: 'mine' })).body.queue_id, 'mine')
  })

  test('answers with the status and fields of a code in the contract', async (t) => {
    const { parley, client } = await started(t)
    for (const [code, expected, fields] of [
      ['REALM_DEACTIVATED', 401, {}],
      ['CHANNEL_ALREADY_EXISTS', 409, { channel_name: 'design' }],
      ['FAILED_TO_CONNECT_BOUNCER', 502, {}],
      ['STREAM_DOES_NOT_EXIST', 400, { stream: 'desing' }],
    ] as const) {
      await parley.failNext({ code })
      const { status, body } = await client.me()
      const { result, msg, ...more } = body
      assert.deepEqual(
        [result, msg, status, more],
        ['error', `A stand-in answers ${code}`, expected, { code, ...fields }],
      )
    }
  })

  test('U8: changes the text of each code, so that a client shows whether it decides by the text', async (t) => {
    const { parley, client } = await started(t)
    for (const code of ['BAD_EVENT_QUEUE_ID', 'RATE_LIMIT_HIT', 'INVALID_API_KEY', 'BAD_REQUEST'] as const) {
      await parley.failNext({ code })
      const { body } = await client.me()
      assert.deepEqual([body.code, body.msg], [code, `A stand-in answers ${code}`])
    }
    await parley.failNext({ status: 429 })
    assert.equal((await client.me()).body.msg, 'A stand-in answers RATE_LIMIT_HIT')
  })

  test('drops requests before the work, and answers after it', async (t) => {
    const { parley, client } = await started(t)
    const message = (content: string) => ({ type: 'channel', to: 'general', topic: 'drops', content })
    const sent = async () => {
      const narrow = JSON.stringify([{ operator: 'topic', operand: 'drops' }])
      const search = { anchor: 'newest', num_before: 9, num_after: 0, narrow, apply_markdown: false }
      const { messages } = await parley.as('member').must('GET', '/messages', search)
      return messages.map(({ content }: { content: string }) => content)
    }
    const send = (content: string) => client.call('POST', '/messages', message(content))
    await parley.failNext({ operation: 'send-message', drop: true })
    await assert.rejects(send('lost'))
    await parley.failNext({ operation: 'send-message', drop: 'answer' })
    await assert.rejects(send('done, and nobody knows'))
    assert.equal((await send('well')).status, 200)
    assert.deepEqual(await sent(), ['done, and nobody knows', 'well'])
    const outcomes = (await parley.requests()).map(({ outcome, status }) => [outcome, status])
    assert.deepEqual(outcomes, [
      ['dropped', null],
      ['dropped', null],
      ['answered', 200],
    ])
  })

  test('drops a refusal after the work, and the answer of a parked poll when it comes', async (t) => {
    const { parley, client } = await started(t)
    await parley.failNext({ operation: 'send-message', drop: 'answer' })
    await assert.rejects(client.call('POST', '/messages', { type: 'channel', to: 'nowhere', topic: 'x', content: 'x' }))
    const queue = await client.queue()
    await parley.failNext({ operation: 'get-events', drop: 'answer' })
    const { answer } = await client.waitingPoll(parley, queue)
    await client.me()
    assert.equal((await parley.requests())[2]?.outcome, 'waiting')
    const sent = { type: 'direct', to: [client.account.userId], content: 'hello' }
    await parley.as('member').must('POST', '/messages', sent)
    await assert.rejects(answer)
    assert.equal((await client.poll(queue)).body.events[0].message.content, 'hello')
  })

  test('advances the clock until a parked poll is answered', async (t) => {
    const { parley, client } = await started(t)
    const queue = await client.queue()
    await parley.failNext({ operation: 'get-events', slow: 1000 })
    const { events } = (await client.poll(queue)).body
    assert.equal(events[0]?.type, 'heartbeat')
  })

  test('delays a request, which then continues, and does not delay the stop of the server', async (t) => {
    const { parley, client } = await started(t)
    await parley.failNext({ delay: 20 })
    assert.equal((await client.me()).status, 200)
    const [entry] = await parley.requests()
    assert.ok(entry?.ended && entry.ended - entry.at >= 19, `${entry?.at} to ${entry?.ended}`)
    await parley.failNext({ operation: 'get-events', delay: 3_600_000 })
    const { answer } = await client.arrivedPoll(parley, await client.queue())
    await parley.restart()
    assert.equal((await answer).status, 200)
  })

  test('refuses rules without effect', async (t) => {
    const { parley } = await started(t)
    const wrong = [{}, { status: 200 }, { status: 500, drop: true }, { status: 500, times: 0 }, { delay: -1 }]
    for (const failure of wrong) await assert.rejects(parley.failNext(failure), RangeError)
  })

  test('U6: refuses by name what it does not know: keys, operations, codes, a time to wait without a 429', async (t) => {
    const { parley } = await started(t)
    for (const [failure, named] of [
      [{ opration: 'send-message', status: 500 }, 'opration'],
      [{ operation: 'send-mesage', status: 500 }, 'send-mesage'],
      [{ operation: 'reset-server', status: 500 }, 'reset-server'],
      [{ code: 'TOMORROW' }, 'TOMORROW'],
      [{ retryAfter: 3 }, 'retryAfter'],
      [{ status: 503, retryAfter: 3 }, 'retryAfter'],
      [{ status: 429, retryAfter: Infinity }, 'retryAfter'],
      [{ delay: 3_000_000_000 }, 'delay'],
      [{ slow: Infinity }, 'slow'],
      [{ status: 500, times: 0.5 }, 'times'],
    ] as const) {
      // A program in JavaScript may pass anything.
      await assert.rejects(parley.failNext(failure as never), { name: 'RangeError', message: new RegExp(named) })
    }
    // @ts-expect-error: the types know the operations
    await assert.rejects(parley.failNext({ operation: 'send-mesage', status: 500 }))
    // @ts-expect-error: and the codes
    await assert.rejects(parley.failNext({ code: 'TOMORROW' }))
  })
})
