import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { MetricsAccess } from './metrics-access.ts'
import { answerTo } from './raw-connection-testing.ts'
import { basic, sharedParley } from './testing.ts'

const TOKEN = 'prometheus-reads-this'
const tokenServer = sharedParley('sqlite', { metricsToken: TOKEN })
const proxied = sharedParley('sqlite', { trustProxy: true })
const usual = sharedParley('sqlite')
const limited = sharedParley('sqlite', { metricsToken: TOKEN, rateLimits: true })

/** The answer of GET /metrics. */
async function read(url: string, authorization?: string) {
  const answer = await fetch(`${url}/metrics`, { headers: authorization ? { Authorization: authorization } : {} })
  const text = await answer.text()
  const challenge = answer.headers.get('www-authenticate')
  return { status: answer.status, challenge, text, code: answer.status === 200 ? undefined : JSON.parse(text).code }
}

test('with a token: only those who send it can read, with or without an account (SEC-HTTP-12)', async () => {
  const { url, as } = await tokenServer()
  for (const right of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`]) {
    const { status, text } = await read(url, right)
    assert.equal(status, 200, right)
    assert.match(text, /^parley_connections/m)
  }
  const { email, apiKey } = as('owner')
  const wrong = [undefined, 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN, basic('x', TOKEN)]
  for (const header of [...wrong, basic(email, apiKey), `Bearer ${TOKEN} ${TOKEN}`]) {
    const { status, code, challenge, text } = await read(url, header)
    assert.deepEqual([status, code, challenge], [401, 'UNAUTHORIZED', 'Bearer realm="metrics"'], header)
    assert.ok(!text.includes(TOKEN))
  }
})

test('wrong tokens count like wrong keys, right ones do not (SEC-HTTP-12)', async () => {
  const { url } = await limited()
  const guess = async () => (await read(url, 'Bearer guess')).status
  for (let guesses = 0; guesses < 100; guesses += 1) assert.equal(await guess(), 401)
  assert.equal(await guess(), 429)
  assert.equal((await read(url, `Bearer ${TOKEN}`)).status, 200)
})

test('without a token, reachable by others: an unknown URL (SEC-HTTP-12)', async () => {
  const { url } = await proxied()
  const { status, code, text } = await read(url, `Bearer ${TOKEN}`)
  const none = await fetch(`${url}/api/v1/none`)
  assert.deepEqual([status, text], [none.status, await none.text()])
  assert.deepEqual([status, code], [404, 'BAD_REQUEST'])
})

test('without a token: visible only on a server that others cannot reach (SEC-HTTP-12)', () => {
  const local = { headers: { host: 'localhost' }, socket: { remoteAddress: '::1' } } as IncomingMessage
  const isThere = (host: string, trustProxy = false): boolean => {
    try {
      new MetricsAccess({ host, trustProxy, metricsToken: undefined }).admit(local)
      return true
    } catch {
      return false
    }
  }
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST']) {
    assert.deepEqual([isThere(host), isThere(host, true)], [true, false], host)
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'fe80::1', 'chat.example.com', '127.example.com']) {
    assert.equal(isThere(host), false, host)
  }
})

test('G7: without a token, under a host name that leads to this machine: an unknown URL (SEC-HTTP-12)', async () => {
  const server = await usual()
  assert.match(await answerTo(server, 'GET /metrics HTTP/1.1\r\nHost: rebound.example\r\n\r\n'), /^HTTP\/1.1 404 /)
})
