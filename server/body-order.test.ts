/** Decisions made before a body is read, and the fate of unread bodies. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { answerTo, head, ONE_ANSWER, open, received } from './raw-connection-testing.ts'
import { basic, sharedParley } from './testing.ts'

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const MULTIPART = 'Content-Type: multipart/form-data; boundary=B'
const CHUNKS = 'Transfer-Encoding: chunked'
const KIB = 1024
const length = (bytes: number) => `Content-Length: ${bytes}`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const summary = (answer: string) => {
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
  const { code, msg } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
  return { status: Number(status), code, msg }
}

describe('before the body (SEC-HTTP-1)', () => {
  const parley = sharedParley('sqlite')
  const wrongKey = `Authorization: ${basic('owner@parley.example', 'x'.repeat(32))}`

  for (const [what, line, headers, status] of [
    ['no credentials', 'POST /api/v1/messages', [], 401],
    ['a wrong key', 'POST /api/v1/messages', [wrongKey], 401],
    ['an unknown URL', 'POST /api/v1/none', [], 404],
    ['a URL outside of the API', 'POST /none', [], 404],
    ['a method that the URL has not', 'PUT /api/v1/messages', [], 405],
  ] as const) {
    for (const type of [FORM, MULTIPART, 'Content-Type: application/json']) {
      test(`${what}: ${status} while the body (${type}) has not come`, async () => {
        const server = await parley()
        const bytes = head(server, line, undefined, ...headers, type, length(1_000_000))
        assert.equal(summary(await answerTo(server, bytes)).status, status)
      })
    }
  }

  test('a file is not awaited either', async () => {
    const server = await parley()
    const bytes = head(server, 'POST /api/v1/user_uploads', undefined, MULTIPART, length(20_000_000))
    assert.equal(summary(await answerTo(server, bytes)).status, 401)
  })

  test('requests are counted before: 429 before the body arrives', async () => {
    const server = await limited()
    for (let call = 0; call < 200; call += 1) await server.as('member').get('/users/me')
    const bytes = head(server, 'POST /api/v1/messages', 'member', FORM, length(1_000_000))
    assert.deepEqual(summary(await answerTo(server, bytes)).code, 'RATE_LIMIT_HIT')
    // A file that comes nevertheless is dropped, as for every refusal of an account.
    const file = 'x'.repeat(1_000_000)
    const refused = head(server, 'POST /api/v1/user_uploads', 'member', MULTIPART, length(file.length)) + file
    const next = head(server, 'GET /api/v1/messages/1', 'member', 'Connection: close')
    const answers = await received(open(server, refused + next))
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 429', 'HTTP/1.1 429'])
    for (let call = 0; call < 100; call += 1) {
      await (await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST' })).arrayBuffer()
    }
    const anonymous = head(server, 'POST /api/v1/fetch_api_key', undefined, FORM, length(1000))
    assert.deepEqual(summary(await answerTo(server, anonymous)).code, 'RATE_LIMIT_HIT')
  })
  const limited = sharedParley('sqlite', { rateLimits: true })

  test('without credentials a body has 16 KiB at most', async () => {
    const server = await parley()
    const post = (headers: string[], body: string) =>
      answerTo(server, head(server, 'POST /api/v1/fetch_api_key', undefined, ...headers) + body)
    const form = (bytes: number) => 'username=a&password='.padEnd(bytes, 'x')
    const part = '--B\r\nContent-Disposition: form-data; name="username"\r\n\r\n'
    const bomb = gzipSync(form(17 * KIB)).toString('latin1')
    const refused = [
      await post([FORM, length(16 * KIB + 1)], ''),
      await post([MULTIPART, length(16 * KIB + 1)], ''),
      await post([FORM, CHUNKS], chunk(form(16 * KIB)) + chunk('x')),
      await post([MULTIPART, CHUNKS], chunk(part.padEnd(16 * KIB + 1, 'x'))),
      await post([FORM, 'Content-Encoding: gzip', length(bomb.length)], bomb),
    ]
    for (const answer of refused) {
      assert.deepEqual(summary(answer), {
        status: 413,
        code: 'BAD_REQUEST',
        msg: 'The request body is larger than 16384 bytes',
      })
    }
    assert.equal(summary(await post([FORM, length(16 * KIB)], form(16 * KIB))).code, 'AUTHENTICATION_FAILED')
    // Credentials that are not needed change nothing.
    const known = head(server, 'POST /api/v1/fetch_api_key', 'member', FORM, length(16 * KIB + 1))
    assert.equal(summary(await answerTo(server, known)).status, 413)
  })

  test('with credentials the limits are as before', async () => {
    const server = await parley()
    const { status, body } = await server.as('member').post('/messages/render', { content: 'x'.repeat(900_000) })
    assert.deepEqual([status, body.result], [200, 'success'])
  })
})

describe('an unread body (SEC-HTTP-2)', () => {
  const parley = sharedParley('sqlite', { logLevel: 'silent' })

  test('is dropped after too much of it was unpacked, and the connection continues', async () => {
    const server = await parley()
    const body = gzipSync(`content=${'x'.repeat(1_100_000)}${randomBytes(900_000).toString('hex')}`).toString('latin1')
    const packed = [FORM, 'Content-Encoding: gzip', length(body.length)]
    const refused = head(server, 'POST /api/v1/messages/render', 'member', ...packed) + body
    const next = head(server, 'GET /api/v1/messages/1', 'member', 'Connection: close')
    const answers = await received(open(server, refused + next))
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  test('is dropped, and the connection continues', async () => {
    const server = await parley()
    const body = 'x'.repeat(100_000)
    const refused = head(server, 'POST /api/v1/messages', undefined, FORM, length(body.length)) + body
    const answers = await received(
      open(server, refused + head(server, 'GET /api/v1/messages/1', 'member', 'Connection: close')),
    )
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  for (const path of ['/api/v1/messages', '/api/v1/none', '/api/v1/fetch_api_key', '/none']) {
    test(`without an end: ${path} answers and hangs up`, async () => {
      const server = await parley()
      const socket = open(server, head(server, `POST ${path}`, undefined, FORM, CHUNKS))
      const send = (): void => {
        while (!socket.destroyed && socket.write(chunk('x'.repeat(64 * KIB))));
      }
      socket.on('drain', send)
      send()
      assert.match(await received(socket), ONE_ANSWER)
    })
  }

  // With chunks the length is unknown, although all of it has arrived.
  for (const [line, key, status] of [
    ['GET /api/v1/users/me', 'member', 200],
    ['POST /api/v1/mark_all_as_read', 'member', 200],
    ['OPTIONS /api/v1/messages', undefined, 204],
    ['POST /api/v1/messages', undefined, 401],
    ['POST /api/v1/none', undefined, 404],
    ['POST /api/v1/messages', 'member', 415],
    ['POST /api/v1/user_uploads', 'member', 415],
  ] as const) {
    test(`in chunks that have come: after ${status} to ${line} the connection serves on`, async () => {
      const server = await parley()
      const chunked = head(server, line, key, 'Content-Type: application/json', CHUNKS) + chunk('{}') + chunk('')
      const plain = head(server, 'GET /api/v1/messages/1', 'member')
      const last = head(server, 'GET /api/v1/messages/1', 'member', 'Connection: close')
      for (const [before, statuses] of [
        ['', [status]],
        [plain, [200, status]],
      ] as const) {
        // The read that brought the body does not contain what the client sends after the answer.
        const socket = open(server, before + chunked)
        const answers = received(socket)
        await once(socket, 'data')
        socket.write(last)
        const found = (await answers).match(/HTTP\/1\.1 \d+/g)
        assert.deepEqual(
          found,
          [...statuses, 200].map((one) => `HTTP/1.1 ${one}`),
        )
      }
    })
  }

  test('in chunks without a type is none if nothing comes, and refused otherwise', async () => {
    const server = await parley()
    const post = (headers: readonly string[], ...chunks: readonly string[]) =>
      answerTo(server, head(server, 'POST /api/v1/messages', 'member', CHUNKS, ...headers) + chunks.map(chunk).join(''))
    assert.equal(summary(await post([], '')).code, 'REQUEST_VARIABLE_MISSING')
    for (const refused of [await post([], 'a=b', ''), await post([], 'a=b')]) assert.equal(summary(refused).status, 415)
    const late = open(server, head(server, 'POST /api/v1/messages', 'member', CHUNKS, 'Expect: 100-continue'))
    assert.match(String(await once(late, 'data')), /^HTTP\/1\.1 100 /)
    late.write(chunk(''))
    assert.match(await received(late, ONE_ANSWER), /REQUEST_VARIABLE_MISSING/)
  })

  test('is not requested from a client that waits for 100 Continue', async () => {
    const server = await parley()
    const expecting = (path: string, key?: string) =>
      open(server, head(server, `POST ${path}`, key, FORM, length(9), 'Expect: 100-continue'))
    const refused = await received(expecting('/api/v1/messages'))
    assert.match(refused, /^HTTP\/1\.1 401 [\s\S]*\r\nConnection: close\r\n/)
    const asked = expecting('/api/v1/messages/render', 'member')
    assert.match(String(await once(asked, 'data')), /^HTTP\/1\.1 100 /)
    asked.write('content=x')
    assert.match(await received(asked, ONE_ANSWER), /^HTTP\/1\.1 200 [\s\S]*<p>x<\/p>/)
  })

  test('of JSON is ignored without parameters, and refused with them', async () => {
    const server = await parley()
    const json = { headers: { 'Content-Type': 'application/json' }, body: '{}', method: 'POST' }
    const post = (path: string) =>
      server.as('member').request(
        'POST',
        path,
        {},
        {
          ...json,
          headers: { ...json.headers, Authorization: basic(server.as('member').email, server.as('member').apiKey) },
        },
      )
    assert.equal((await post('/mark_all_as_read')).status, 200)
    assert.equal((await post('/messages/render')).status, 415)
  })
})
