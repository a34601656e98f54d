import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, received } from './raw-connection-testing.ts'
import { basic, onEachDatabase, sharedParley, type TestServer } from './testing.ts'

/**
 * Sends these exact bytes, and returns what came until the server, or the client after sending, closed the connection.
 */
function tcp(server: TestServer, bytes: string, { thenClose = false } = {}): Promise<string> {
  const socket = open(server, bytes)
  if (thenClose) socket.write('', () => socket.destroy())
  return received(socket)
}

onEachDatabase('a raw connection', (dialect) => {
  const parley = sharedParley(dialect, { logLevel: 'silent' })
  const stillServes = async (server: TestServer) =>
    assert.equal((await server.as('member').get('/messages/1')).status, 200)
  const head = (server: TestServer, more: string) => {
    const { email, apiKey } = server.as('member')
    return `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic(email, apiKey)}\r\n${more}\r\n\r\n`
  }

  const malformed: Record<string, string> = {
    'no HTTP': 'hello\r\n\r\n',
    'an unknown version': 'GET / HTTP/9.9\r\n\r\n',
    'a bare byte in the path': 'GET /api/v1/users\xff HTTP/1.1\r\nHost: x\r\n\r\n',
    'a header without colon': 'GET / HTTP/1.1\r\nHost x\r\n\r\n',
    'two lengths': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
    'an absolute URL without a host': 'GET http:// HTTP/1.1\r\nConnection: close\r\n\r\n',
    'a host that is none': 'GET http://[x/join/key HTTP/1.1\r\nConnection: close\r\n\r\n',
    'a path that Koa takes for a host': 'GET //a@[x#y HTTP/1.1\r\nConnection: close\r\n\r\n',
    'length and chunks':
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  }
  for (const [what, bytes] of Object.entries(malformed)) {
    test(`${what}: 400 in the envelope, and the server goes on`, async () => {
      const server = await parley()
      const answer = await tcp(server, bytes)
      assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*\r\nContent-Type: application\/json\r\n/)
      const body = JSON.parse(answer.split('\r\n\r\n').slice(1).join('\r\n\r\n'))
      assert.deepEqual([body.result, body.code], ['error', 'BAD_REQUEST'])
      await stillServes(server)
    })
  }

  for (const [what, header] of Object.entries({ 'no Host': '', 'an unknown Expect': 'Host: x\r\nExpect: tea\r\n' })) {
    test(`${what}: answered like every other request (DIFF-HOST)`, async () => {
      const server = await parley()
      const answer = await tcp(server, `GET /api/v1/server_settings HTTP/1.1\r\n${header}Connection: close\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*X-Request-Id: [\s\S]*"result":"success"/)
    })
  }

  test('an idle connection outlives those that clients keep', async () => {
    const { headers } = await (await parley()).as('member').get('/users/me')
    assert.equal(headers.get('keep-alive'), 'timeout=65')
  })

  test('too many headers: 431 in the envelope', async () => {
    const server = await parley()
    const answer = await tcp(server, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(300_000)}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 431 /)
    assert.match(answer, /\{"result":"error","msg":"[^"]+","code":"BAD_REQUEST"\}\n$/)
    await stillServes(server)
  })

  const halves: Record<string, string> = {
    'a form': 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000',
    'chunks of a form': 'Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked',
    'a multipart form': 'Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 5000',
    'a gzipped form':
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Encoding: gzip\r\nContent-Length: 5000',
  }
  for (const [what, headers] of Object.entries(halves)) {
    test(`half of ${what}, then gone: the server goes on`, async () => {
      const server = await parley()
      await tcp(
        server,
        `${head(server, headers)}--B\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\nabc`,
        { thenClose: true },
      )
      await stillServes(server)
    })
  }

  test('a broken chunk: 400', async () => {
    const server = await parley()
    const answer = await tcp(server, `${head(server, halves['chunks of a form'] ?? '')}ZZZ\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 /)
    await stillServes(server)
  })

  test('an absolute URL, several requests on one connection, a parked poll whose client leaves', async () => {
    const server = await parley()
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
    const answers = await tcp(
      server,
      get('http://x/api/v1/server_settings') + get('/nowhere') + get('/health', 'Connection: close\r\n'),
    )
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
    const { email, apiKey } = server.as('member')
    const { queue_id } = await server.as('member').must('POST', '/register', { fetch_event_types: [] })
    await tcp(server, get(`/api/v1/events?queue_id=${queue_id}`, `Authorization: ${basic(email, apiKey)}\r\n`), {
      thenClose: true,
    })
    await stillServes(server)
  })
})
