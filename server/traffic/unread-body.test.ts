/**
 * How bodies of refused requests are discarded (SEC-HTTP-2, SEC-LOOP-6). Who loses the connection because of that is in
 * body-order.test.ts.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mock, test } from 'node:test'
import type { Context } from 'koa'
import { bareServer, KIB, someTurns, withBody } from '../bare-server-testing.ts'
import { DROP_BYTES_PER_MS, dropUnreadBody, holdBody, MAX_DROPPED } from './unread-body.ts'

const BODY_KIB = 500
const MAX_BYTES = BODY_KIB * KIB
const READ = 64 * KIB

const context = (req: IncomingMessage, res: ServerResponse): Context =>
  ({ req, res, response: { get: () => '' }, set: () => undefined }) as unknown as Context

test('a long body is read only as far as it came with the headers, until it is dropped', async (t) => {
  const arrived = Promise.withResolvers<Context>()
  const send = await bareServer(t, (req, res) => {
    holdBody(req)
    arrived.resolve(context(req, res))
  })
  send(withBody(BODY_KIB))
  const ctx = await arrived.promise
  await someTurns()
  assert.ok(ctx.req.socket.bytesRead <= READ, `${ctx.req.socket.bytesRead} bytes were read`)
  dropUnreadBody(ctx, 7, MAX_BYTES)
  await once(ctx.req, 'end')
  assert.ok(ctx.req.socket.bytesRead > MAX_BYTES)
})

test('the next request on the connection starts after the body was dropped', async (t) => {
  const methods: (string | undefined)[] = []
  const both = Promise.withResolvers<void>()
  const send = await bareServer(t, (req, res) => {
    holdBody(req)
    methods.push(req.method)
    if (methods.length === 2) both.resolve()
    else dropUnreadBody(context(req, res), 7, MAX_BYTES)
    res.end()
  })
  send(withBody(BODY_KIB)).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await both.promise
  assert.deepEqual(methods, ['POST', 'GET'])
})

test('bodies of one sender are dropped at a limited rate, without delaying those of others', async (t) => {
  const [MANY, ONE] = [7, 8]
  const bodies = 8
  const pauses = new Map<number, { readonly ms: number; readonly until: number }[]>([
    [MANY, []],
    [ONE, []],
  ])
  const start = performance.now()
  const { setTimeout } = globalThis
  let sender = MANY
  // Pauses end at once; their length is recorded with the sender whose bytes have just come.
  const mocked = mock.method(globalThis, 'setTimeout', (then: () => void, ms: number) => {
    if (ms > 10_000) return setTimeout(then, ms)
    pauses.get(sender)?.push({ ms, until: performance.now() - start + ms })
    return setImmediate(then)
  })
  t.after(() => mocked.mock.restore())
  const all = Promise.withResolvers<void>()
  const ended: Promise<unknown>[] = []
  const send = await bareServer(t, (req, res) => {
    const who = ended.length < bodies ? MANY : ONE
    const isNext = (): void => {
      sender = who
    }
    holdBody(req)
    req.on('data', isNext)
    isNext()
    dropUnreadBody(context(req, res), who, MAX_BYTES)
    ended.push(once(req, 'end'))
    if (ended.length === bodies + 1) all.resolve()
  })
  for (let body = 0; body <= bodies; body += 1) send(withBody(BODY_KIB))
  await all.promise
  await Promise.all(ended)
  // Data that came with the heads is there, and no pause follows the last read.
  const least = (bodies * (MAX_BYTES - 2 * READ)) / DROP_BYTES_PER_MS
  const last = Math.max(...(pauses.get(MANY) ?? []).map(({ until }) => until))
  assert.ok(last >= least, `the last pause of many ends after ${last} ms, not ${least}`)
  const longest = Math.max(...(pauses.get(ONE) ?? []).map(({ ms }) => ms))
  assert.ok(longest <= MAX_BYTES / DROP_BYTES_PER_MS, `a single body was to wait for ${longest} ms`)
})

test('further bodies of one sender are not dropped: the connection ends with the answer', async (t) => {
  const answered = Promise.withResolvers<void>()
  let requests = 0
  const set: string[][] = []
  const send = await bareServer(t, (req, res) => {
    holdBody(req)
    const ctx = { ...context(req, res), set: (...header: string[]) => set.push(header) } as unknown as Context
    dropUnreadBody(ctx, 7, MAX_BYTES)
    requests += 1
    if (requests <= MAX_DROPPED) return
    res.end('enough')
    req.socket.once('close', () => answered.resolve())
  })
  // None of these ends.
  for (let body = 0; body <= MAX_DROPPED; body += 1) send(withBody(BODY_KIB).slice(0, -1))
  await answered.promise
  assert.deepEqual(set, [['Connection', 'close']])
})

test('a client whose connection will end is told so with the answer', async (t) => {
  const set: string[][] = []
  const all = Promise.withResolvers<void>()
  let requests = 0
  const send = await bareServer(t, (req, res) => {
    holdBody(req)
    const ctx = { ...context(req, res), set: (...header: string[]) => set.push([String(req.url), ...header]) }
    dropUnreadBody(ctx as unknown as Context, 9, MAX_BYTES)
    requests += 1
    if (requests === 3) all.resolve()
  })
  send(withBody(BODY_KIB).replace('POST /', 'POST /fits'))
  send(withBody(BODY_KIB + 1).replace('POST /', 'POST /too-long'))
  send('POST /chunks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n')
  await all.promise
  // The length of a chunked body is unknown.
  assert.deepEqual(set, [['/too-long', 'Connection', 'close']])
})

test('a body in pieces of a byte is given up early', async (t) => {
  const gone = Promise.withResolvers<number>()
  const send = await bareServer(t, (req, res) => {
    let pieces = 0
    req.on('data', () => {
      pieces += 1
    })
    req.socket.once('close', () => gone.resolve(pieces))
    dropUnreadBody(context(req, res), 7, MAX_BYTES)
  })
  send(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50_000)}`)
  // Requests that came with the same read are parsed already.
  const pieces = await gone.promise
  assert.ok(pieces <= READ / 6, `${pieces} pieces were taken`)
})

test('a client that asks for the end of the connection gets its answer, and may send its whole body', async (t) => {
  const send = await bareServer(t, (req, res) => {
    holdBody(req)
    dropUnreadBody(context(req, res), 7, MAX_BYTES * 10)
    res.end('refused')
  })
  const client = send(withBody(BODY_KIB * 8).replace('Host: x', 'Host: x\r\nConnection: close'))
  let failure: Error | undefined
  client.on('error', (err) => {
    failure = err
  })
  let text = ''
  client.on('data', (bytes) => {
    text += bytes
  })
  await once(client, 'close')
  assert.match(text, /refused$/)
  assert.equal(failure, undefined)
})
