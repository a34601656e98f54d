import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { get } from 'node:http'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { started, TestedClient } from './client-testing.ts'
import { type StandIn, startParley } from './library.ts'

/** Waits for a call of an operation that the stand-in holds. */
async function once(parley: StandIn, operation: string): Promise<void> {
  const isThere = async () =>
    (await parley.requests()).some((entry) => entry.operation === operation && entry.outcome === 'waiting')
  while (!(await isThere())) await setImmediate()
}

/** Sends the client a message from somebody else. */
function tell(parley: StandIn, client: TestedClient, content: string) {
  const sent = { type: 'direct', to: [client.account.userId], content }
  return parley.as('member').must('POST', '/messages', sent)
}

describe('a stand-in', () => {
  test('has the demo accounts, new ones, and unique names', async (t) => {
    const { parley, client } = await started(t)
    assert.equal((await parley.as('owner').must('GET', '/users/me')).is_owner, true)
    assert.equal((await client.me()).body.user_id, client.account.userId)
    const ada = await parley.newUser('Ada Lovelace')
    assert.equal((await ada.must('GET', '/users/me')).full_name, 'Ada Lovelace')
    const [li, wang] = [await parley.newUser('李'), await parley.newUser('王')]
    assert.notEqual(li.email, wang.email)
    const namesake = await parley.newUser('Ada Lovelace')
    assert.deepEqual([ada.email, namesake.email], ['ada-lovelace@parley.example', 'ada-lovelace-2@parley.example'])
    const { hostname, port } = new URL(parley.url)
    const status = await new Promise((resolve) => {
      get({ hostname, port, path: '//' }, (answer) => resolve(answer.resume().statusCode))
    })
    assert.equal(status, 404, 'an address that is no URL')
    assert.notEqual(parley.unique('topic'), parley.unique('topic'))
    assert.throws(() => parley.as('nobody'), /expected owner, admin/)
  })

  test('U5: its new members are subscribed to the public channels of the demo, with events', async (t) => {
    const { parley, client } = await started(t)
    const queue = await client.queue()
    await parley.as('member').must('POST', '/messages', { type: 'channel', to: 'general', topic: 'x', content: 'all' })
    assert.equal((await client.poll(queue)).body.events[0].message.content, 'all')
    const { subscriptions } = await client.account.must('GET', '/users/me/subscriptions')
    const names = subscriptions.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.toSorted(), ['engineering', 'general'])
  })

  test('has one owner only on request, and accepts settings', async (t) => {
    const { parley, client } = await started(t, { organization: 'empty', config: { heartbeatSeconds: 0.05 } })
    assert.deepEqual(Object.keys(parley.credentials.users), ['owner'])
    const { events } = (await client.poll(await client.queue())).body
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['heartbeat'],
    )
  })

  test('refuses settings that its organization or folder determines', async () => {
    for (const config of [{ secret: 'x'.repeat(40) }, { organizationName: 'Acme' }, { filesFolder: '/tmp' }]) {
      // @ts-expect-error: the types know the settings
      await assert.rejects(startParley({ organization: 'empty', config }), {
        name: 'RangeError',
        message: `startParley takes no config.${Object.keys(config)[0]}`,
      })
    }
  })

  test('is independent of others, and leaves nothing behind', async (t) => {
    const { parley } = await started(t)
    const other = await startParley()
    const ada = await parley.newUser()
    const foreign = await fetch(`${other.url}/api/v1/users/me`, { headers: { Authorization: ada.authorization } })
    assert.equal(foreign.status, 401)
    await other.stop()
    await other.stop()
    await assert.rejects(fetch(other.url))
  })

  test('copies the organization of the first one, which takes long to create', async (t) => {
    const { parley } = await started(t)
    const { parley: other } = await started(t)
    // Keys are random: equal ones are copied.
    assert.deepEqual(other.credentials.users, parley.credentials.users)
  })

  test('answers what is no request of the API like every server', async (t) => {
    const { parley } = await started(t)
    const long = await fetch(`${parley.url}/api/v1/messages?narrow=${'x'.repeat(200_000)}`)
    assert.deepEqual(
      [long.status, await long.json()],
      [431, { result: 'error', msg: 'URL and headers are too long', code: 'BAD_REQUEST' }],
    )
    const { hostname, port } = new URL(parley.url)
    const status = await new Promise((resolve) => {
      const headers = { Expect: 'nothing' }
      get({ hostname, port, path: '/health', headers }, (answer) => resolve(answer.resume().statusCode))
    })
    assert.equal(status, 200)
  })

  test('records what the client sent and was answered, not the requests of the test', async (t) => {
    const { parley, client } = await started(t)
    await parley.as('member').must('GET', '/users/me')
    await client.call('POST', '/messages', { type: 'direct', to: '[]', content: 'nobody' })
    await client.call('GET', '/nothing')
    const [send, unknown, ...more] = await parley.requests()
    assert.deepEqual(more, [])
    assert.deepEqual(
      [send?.number, send?.operation, send?.method, send?.path, send?.user, send?.client],
      [1, 'send-message', 'POST', '/api/v1/messages', client.account.userId, 'Tested/1'],
    )
    assert.deepEqual(send?.parameters, { type: 'direct', to: '[]', content: 'nobody' })
    assert.deepEqual([send?.outcome, send?.status, send?.code], ['answered', 400, 'BAD_REQUEST'])
    assert.partialDeepStrictEqual(send?.answer, { result: 'error' })
    assert.ok(send?.ended !== null && send !== undefined && send.at <= send.ended)
    assert.deepEqual([unknown?.operation, unknown?.status], ['unknown', 404])
  })

  test('records the parts of a multipart form, and requests that are held', async (t) => {
    const { parley, client } = await started(t)
    const body = new FormData()
    body.append('type', 'direct')
    body.append('to', '[]')
    const headers = { Authorization: client.account.authorization }
    await fetch(`${parley.url}/api/v1/messages?content=nobody`, { method: 'POST', headers, body })
    const [send] = await parley.requests()
    assert.deepEqual(send?.parameters, { type: 'direct', to: '[]', content: 'nobody' })
    await parley.pauseEvents()
    const { answer: paused } = await client.waitingPoll(parley, await client.queue())
    await parley.failNext({ operation: 'get-own-user', delay: 3_600_000 })
    const delayed = client.me()
    await once(parley, 'get-own-user')
    await parley.restart()
    assert.deepEqual([(await paused).status, (await delayed).status], [200, 200])
  })
})

describe('time', () => {
  test('advances at once: postponed messages are sent', async (t) => {
    const { parley, client } = await started(t)
    const at = Math.floor(Date.now() / 1000) + 86_400
    await parley.as('member').must('POST', '/scheduled_messages', {
      type: 'direct',
      to: [client.account.userId],
      content: 'good morning',
      scheduled_delivery_timestamp: at,
    })
    await parley.advance(86_000_000)
    const queue = await client.queue()
    assert.deepEqual((await client.poll(queue, { dont_block: 'true' })).body.events, [])
    await parley.advance(401_000)
    const { events } = (await client.poll(queue, { dont_block: 'true' })).body
    assert.deepEqual([events.length, events[0]?.message.timestamp >= at], [1, true])
    for (const ms of [-1, 1e13]) await assert.rejects(parley.advance(ms), RangeError)
    // @ts-expect-error: a program in JavaScript may pass anything
    await assert.rejects(parley.reset({ to: 'begin' }), { name: 'RangeError', message: /'begin'/ })
  })

  test('runs out for one request, and continues for the others', async (t) => {
    const { parley, client } = await started(t)
    const owner = parley.as('owner')
    const channel = await owner.must('POST', '/channels/create', { name: 'slow', subscribers: [owner.userId] })
    for (let sent = 0; sent <= 100; sent += 1) {
      await owner.must('POST', '/messages', { type: 'stream', to: channel.id, topic: 'slow', content: 'x' })
    }
    const asOwner = new TestedClient(parley, owner)
    const remove = () => asOwner.call('POST', `/streams/${channel.id}/delete_topic`, { topic_name: 'slow' })
    await parley.failNext({ operation: 'delete-topic', slow: 1_000_000 })
    const clock = async () => Date.parse((await client.me()).headers.get('Date') ?? '')
    const before = await clock()
    assert.equal((await remove()).body.complete, false)
    const passed = (await clock()) - before
    assert.ok(passed > 50_000, `${passed} ms`)
    assert.equal((await remove()).body.complete, true)
    await assert.rejects(parley.failNext({ slow: 1 }), RangeError)
    await assert.rejects(parley.failNext({ slow: 2, status: 500 }), RangeError)
  })
})

describe('limits', () => {
  test('apply to each account, and end by time or by the test', async (t) => {
    const { parley, client } = await started(t)
    await parley.limitRates(1)
    assert.equal((await client.me()).headers.get('X-RateLimit-Remaining'), '0')
    const { status, headers } = await client.me()
    assert.deepEqual([status, Number(headers.get('Retry-After')) > 50], [429, true])
    assert.equal((await new TestedClient(parley, await parley.newUser()).me()).status, 200)
    await parley.advance(60_000)
    assert.deepEqual([(await client.me()).status, (await client.me()).status], [200, 429])
    await parley.limitRates(null)
    assert.equal((await client.me()).status, 200)
    await assert.rejects(parley.limitRates(0.5), RangeError)
  })
})

describe('queues', () => {
  test('deliver nothing while events pause, and everything afterwards', async (t) => {
    const { parley, client } = await started(t)
    const [first, second] = [await client.queue(), await client.queue()]
    const { answer: before } = await client.waitingPoll(parley, first)
    await parley.pauseEvents()
    await tell(parley, client, 'one')
    const { answer: during } = await client.arrivedPoll(parley, second)
    await parley.advance(120_000)
    assert.deepEqual((await client.poll(await client.queue(), { dont_block: 'true' })).body.events, [])
    assert.deepEqual(
      (await parley.requests()).filter(({ outcome }) => outcome === 'waiting').length,
      2,
      'a poll was answered',
    )
    await parley.resumeEvents()
    for (const poll of [before, during]) assert.equal((await poll).body.events[0]?.message.content, 'one')
  })

  test('end while events pause, and a polled one does not', async (t) => {
    const { parley, client } = await started(t)
    const [first, second] = [await client.queue(), await client.queue()]
    await tell(parley, client, 'before')
    await parley.pauseEvents()
    assert.deepEqual((await client.poll(first, { dont_block: 'true' })).body.queue_id, first.queue_id)
    const { answer } = await client.waitingPoll(parley, first)
    await parley.advance(3_600_000)
    assert.equal((await client.poll(second)).body.code, 'BAD_EVENT_QUEUE_ID')
    await parley.resumeEvents()
    assert.equal((await answer).body.events[0]?.message.content, 'before')
    await parley.pauseEvents()
    await parley.expireQueues()
    assert.equal((await client.poll(first)).body.code, 'BAD_EVENT_QUEUE_ID')
  })
})

describe('snapshots', () => {
  test('restore everything: messages, files, queues, clock, limits', async (t) => {
    const { parley, client } = await started(t)
    await parley.advance(3_600_000)
    const queue = await client.queue()
    const body = new FormData()
    body.append('file', new File(['kept'], 'kept.txt'))
    const { url: file } = (await client.account.request('POST', '/user_uploads', {}, { body })).body
    await parley.snapshot()
    const late = await parley.newUser()
    await tell(parley, client, 'forgotten')
    await parley.advance(3_600_000)
    await parley.limitRates(0)
    for (const _ of ['the first time', 'and again']) {
      await parley.reset()
      assert.deepEqual(await parley.requests(), [])
      assert.equal((await late.get('/users/me')).status, 401)
      assert.deepEqual((await client.poll(queue, { dont_block: 'true' })).body.events, [])
      const kept = await fetch(`${parley.url}${file}`, { headers: { Authorization: client.account.authorization } })
      assert.equal(await kept.text(), 'kept')
      const { id } = await tell(parley, client, 'now')
      const { message } = await client.account.must('GET', `/messages/${id}`)
      assert.ok(Math.abs(message.timestamp - Date.now() / 1000 - 3600) < 60, `${message.timestamp}`)
    }
  })

  for (const isNoted of [false, true]) {
    test(`U9: ${isNoted ? 'are forgotten' : 'are not needed'} to go back to the start`, async (t) => {
      const { parley, client } = await started(t)
      if (isNoted) await parley.advance(3_600_000)
      if (isNoted) await parley.snapshot()
      for (const options of [{ to: 'start' }, {}] as const) {
        await parley.reset(options)
        assert.equal((await client.me()).status, 401)
        const { headers, status } = await fetch(`${parley.url}/api/v1/users/me`, {
          headers: { Authorization: parley.as('member').authorization },
        })
        assert.equal(status, 200)
        assert.ok(Date.parse(headers.get('Date') ?? '') - Date.now() < 1_800_000)
      }
    })
  }
})

describe('a server in its own process', () => {
  test('is killed, and returns with what it acknowledged, its clock, its journal and its snapshot', async (t) => {
    const { parley, client } = await started(t, { ownProcess: true })
    await parley.snapshot()
    await parley.advance(7_200_000)
    const queue = await client.queue()
    const { answer } = await client.waitingPoll(parley, queue)
    const late = await parley.newUser()
    await parley.crash()
    await assert.rejects(answer)
    const { id } = await tell(parley, client, 'still here')
    const { message } = await client.account.must('GET', `/messages/${id}`)
    assert.equal((await late.get('/users/me')).status, 200)
    assert.ok(message.timestamp - Date.now() / 1000 > 7000, `${message.timestamp}`)
    assert.equal((await client.poll(queue)).body.events[0]?.message.content, 'still here')
    assert.deepEqual(
      (await parley.requests()).map(({ number, operation, outcome }) => [number, operation, outcome]),
      [
        [1, 'register-queue', 'answered'],
        [2, 'get-events', 'dropped'],
        [3, 'get-events', 'answered'],
      ],
    )
    await parley.expectNoMistakes()
    await parley.reset()
    assert.deepEqual([(await client.me()).status, (await late.get('/users/me')).status], [200, 401])
  })

  test('does by command what one in this process does', async (t) => {
    const { parley, client } = await started(t, { ownProcess: true, organization: 'empty' })
    await parley.failNext({ status: 503 })
    assert.equal((await client.me()).status, 503)
    await parley.limitRates(0)
    assert.equal((await client.me()).status, 429)
    await parley.limitRates(null)
    const queue = await client.queue()
    await parley.pauseEvents()
    await parley.resumeEvents()
    await parley.restart()
    assert.equal(await parley.expireQueues(), 1)
    assert.equal((await client.poll(queue)).body.code, 'BAD_EVENT_QUEUE_ID')
    await client.poll(queue)
    assert.deepEqual(
      (await parley.mistakes()).map(({ rule }) => rule),
      ['dead-queue-polled'],
    )
    await assert.rejects(parley.failNext({}), RangeError)
  })

  test('ends when the test runner ends abruptly', async () => {
    const library = JSON.stringify(new URL('library.ts', import.meta.url))
    const runner = `import { startParley } from ${library}
      console.log((await startParley({ ownProcess: true })).url)
      process.exit()`
    const url = execFileSync(process.execPath, ['--input-type=module', '-e', runner], { encoding: 'utf8' }).trim()
    const isGone = () =>
      fetch(url).then(
        () => false,
        () => true,
      )
    while (!(await isGone())) await setImmediate()
  })

  test('can crash, unlike one in this process, and accepts no settings', async (t) => {
    const { parley } = await started(t)
    await assert.rejects(parley.crash(), /ownProcess/)
    await assert.rejects(startParley({ ownProcess: true, config: {} }), RangeError)
  })
})
