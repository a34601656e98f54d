import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import type { Context } from 'koa'
import { holdLoop } from '../../event-loop/loop-testing.ts'
import { startRelay } from '../../push/relay-testing.ts'
import { embeddedConfig } from '../config.ts'
import { untilParked } from '../process-testing.ts'
import { head, open } from '../raw-connection-testing.ts'
import { metric, ownParley, sharedParley, type TestServer, until } from '../testing.ts'
import { Answers } from './answers.ts'
import { inTurn } from './request-turns.ts'
import { Turns } from './turns.ts'

const { traffic } = embeddedConfig({ dataFolder: '/nowhere' })
const MIB = 1024 * 1024
/** Short texts with much HTML: some ten megabytes. */
const MESSAGES = 70
const CONTENT = ':ok: '.repeat(1990)

const UNREAD = 'parley_unread_answer_bytes'
const WAITING = 'parley_requests{state="waiting"}'

/** Makes an answer larger than the system buffers while nobody reads. */
async function fillTopic(server: TestServer, topic: string): Promise<void> {
  for (let sent = 0; sent < MESSAGES; sent += 1) {
    await server.as('owner').must('POST', '/messages', { type: 'stream', to: 'general', topic, content: CONTENT })
  }
}

/** Requests the whole topic and reads nothing. */
function askForMuch(server: TestServer, topic: string): Socket {
  const narrow = encodeURIComponent(JSON.stringify([{ operator: 'topic', operand: topic }]))
  const query = `anchor=newest&num_before=${MESSAGES}&num_after=0&narrow=${narrow}`
  const socket = open(server, head(server, `GET /api/v1/messages?${query}`, 'guest'))
  socket.on('error', () => undefined)
  socket.pause()
  return socket
}

describe('unread answers (SEC-HTTP-7)', () => {
  const settings = { ...traffic, unreadMib: 16, requests: { all: 8, perAccount: 2 } }
  const parley = sharedParley('sqlite', { logLevel: 'silent', checkAnswers: false, traffic: settings })
  const stalling = sharedParley('sqlite', {
    logLevel: 'silent',
    checkAnswers: false,
    traffic: { ...settings, stallSeconds: 0.5 },
  })

  test('delay further requests of their account, and of nobody else', async () => {
    const server = await parley()
    await fillTopic(server, 'unread')
    const sockets = Array.from({ length: 20 }, () => askForMuch(server, 'unread'))
    await until(async () => (await metric(server.url, WAITING)) >= 18)
    // Two at once, each of some ten megabytes, and no third.
    assert.ok((await metric(server.url, UNREAD)) < 2 * 15 * MIB)
    assert.equal((await server.as('member').get('/users/me')).status, 200)
    const own = server.as('guest').get('/users/me')
    for (const socket of sockets.splice(10)) socket.destroy()
    await until(async () => (await metric(server.url, WAITING)) <= 10)
    for (const socket of sockets) socket.resume()
    assert.equal((await own).status, 200)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await metric(server.url, UNREAD)) === 0 && (await metric(server.url, WAITING)) === 0)
  })

  test('have their length, and are complete, in any number of pieces (SEC-LOOP-3)', async () => {
    const server = await parley()
    await fillTopic(server, 'pieces')
    const narrow = encodeURIComponent(JSON.stringify([{ operator: 'topic', operand: 'pieces' }]))
    const path = `/api/v1/messages?anchor=newest&num_before=${MESSAGES}&num_after=0&no_such=1&narrow=${narrow}`
    const answer = await server.as('guest').fetch(path)
    const text = await answer.text()
    assert.equal(Number(answer.headers.get('Content-Length')), Buffer.byteLength(text))
    assert.ok(text.length > 5 * MIB)
    const { messages, ignored_parameters_unsupported: ignored } = JSON.parse(text)
    assert.equal(messages.length, MESSAGES)
    assert.deepEqual(ignored, ['no_such'])
  })

  test('are dropped if their client reads nothing', async () => {
    const server = await stalling()
    await fillTopic(server, 'stalled')
    const socket = askForMuch(server, 'stalled')
    await until(async () => (await metric(server.url, UNREAD)) > 0)
    await until(async () => (await metric(server.url, UNREAD)) === 0)
    socket.resume()
    await once(socket, 'close')
  })
})

test('SEC-LOOP-2: requests that block the loop begin in their own turns, and others come between', async () => {
  const turns = new Turns({ all: 100, perAccount: 8 }, () => true)
  const answers = new Answers(traffic, () => turns.proceed())
  const socket = new Socket()
  const ctx = () => ({ ip: '::1', req: { socket }, res: { destroyed: true }, state: {} }) as unknown as Context
  // After small answers a client may have several in progress.
  const busy = Array.from({ length: 8 }, () => inTurn(ctx(), { turns, answers }, 1, async () => undefined))
  const began: string[] = []
  for (let request = 0; request < 4; request += 1) {
    busy.push(
      inTurn(ctx(), { turns, answers }, 1, async () => {
        began.push('busy')
        holdLoop()
      }),
    )
  }
  while (began.length < 2) await new Promise(setImmediate)
  await inTurn(ctx(), { turns, answers }, 2, async () => void began.push('other'))
  await Promise.all(busy)
  assert.deepEqual(began, ['busy', 'busy', 'other', 'busy', 'busy'])
})

describe('simultaneous requests (SEC-HTTP-6)', () => {
  const settings = { ...traffic, requests: { all: 2, perAccount: 1 } }
  const parley = sharedParley('sqlite', { logLevel: 'silent', traffic: settings })

  test('requests of operators are answered without a turn (SEC-HTTP-8)', async () => {
    const { url, as } = await without()
    const gone = new AbortController()
    const waits = as('member').request('GET', '/users/me', {}, { signal: gone.signal })
    assert.equal((await fetch(`${url}/health`)).status, 200)
    await until(async () => (await metric(url, WAITING)) === 1)
    gone.abort()
    await assert.rejects(waits)
  })
  const without = sharedParley('sqlite', {
    logLevel: 'silent',
    traffic: { ...traffic, requests: { all: 0, perAccount: 0 } },
  })

  test('an upload in progress delays nobody, nor does a poll', async () => {
    const server = await parley()
    const form = '--B\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    const headers = ['Content-Type: multipart/form-data; boundary=B', 'Content-Length: 1000']
    const uploads = ['member', 'member', 'guest'].map((key) =>
      open(server, head(server, 'POST /api/v1/user_uploads', key, ...headers) + form),
    )
    const member = server.as('member')
    const first = { event_types: ['message'], fetch_event_types: [], narrow: [['topic', '0']] }
    const { queue_id } = await member.must('POST', '/register', first)
    const poll = member.get('/events', { queue_id, last_event_id: -1 })
    await untilParked(server.url, 1)
    const send = (_: unknown, topic: number) =>
      member.post('/messages', { type: 'stream', to: 'general', topic: `${topic}`, content: 'x' })
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await poll).body.events.length, 1)
    for (const socket of uploads) socket.destroy()
    await until(async () => (await metric(server.url, 'parley_requests{state="running"}')) <= 1)
    assert.equal(await metric(server.url, 'parley_body_bytes'), 0)
  })

  test('nor does a push service that does not answer', async (t) => {
    const relay = await startRelay()
    t.after(() => relay.stop())
    relay.status = 'hang'
    const server = await ownParley(t, 'sqlite', { logLevel: 'silent', traffic: settings, pushRelayUrl: relay.url })
    const key = { push_key_id: 1, push_key: Buffer.alloc(33, 0x31).toString('base64') }
    const token = { token_kind: 'fcm', token_id: Buffer.alloc(8, 1).toString('base64') }
    const sent = { ...key, ...token, bouncer_public_key: 'public', encrypted_push_registration: 'for the relay alone' }
    const bothWait = relay.arrivals(2)
    const registrations = ['member', 'guest'].map(async (name) => {
      const { device_id } = await server.as(name).must('POST', '/register_client_device')
      return server.as(name).post('/mobile_push/register', { device_id, ...sent })
    })
    await bothWait
    const own = server.as('member').get('/users/me')
    assert.equal((await Promise.race([own, ...registrations])).status, 200)
    relay.stop()
    assert.deepEqual(
      (await Promise.all(registrations)).map(({ status }) => status),
      [502, 502],
    )
  })
})
