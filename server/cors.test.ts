import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTo, head } from './raw-connection-testing.ts'
import { onEachDatabase, sharedParley } from './testing.ts'

const APP = 'https://app.example'

onEachDatabase('CORS', (dialect) => {
  const closed = sharedParley(dialect)
  const open = sharedParley(dialect, { corsOrigins: [APP, 'https://other.example'] })
  const any = sharedParley(dialect, { corsOrigins: ['*'] })

  const settings = async (server: Awaited<ReturnType<typeof open>>, origin?: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v1/server_settings`, {
      ...init,
      headers: { ...(origin && { Origin: origin }), ...init.headers },
    })

  test('off by default: pages of other origins cannot read answers', async () => {
    const answer = await settings(await closed(), APP)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  })

  test('a listed origin is named, others are not; caches keep them apart', async () => {
    const server = await open()
    const allowed = await settings(server, APP)
    assert.equal(allowed.headers.get('access-control-allow-origin'), APP)
    assert.equal(allowed.headers.get('access-control-allow-credentials'), null)
    for (const header of ['X-Request-Id', 'Retry-After', 'X-RateLimit-Remaining']) {
      assert.ok(allowed.headers.get('access-control-expose-headers')?.includes(header), header)
    }
    for (const origin of [APP, 'https://evil.example', `${APP}.evil.example`, 'null', undefined]) {
      const answer = await settings(server, origin)
      assert.equal(answer.headers.get('access-control-allow-origin'), origin === APP ? APP : null, origin)
      assert.match(
        String(answer.headers.get('vary')),
        /Origin/,
        `without it a cache gives one origin's answer to another`,
      )
    }
  })

  test('with all origins every answer says so, so that caches may share it', async () => {
    const answer = await settings(await any())
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  })

  test('pages can read errors, too', async () => {
    const server = await open()
    for (const path of ['/api/v1/messages/1', '/api/v1/nowhere']) {
      const answer = await fetch(server.url + path, { headers: { Origin: APP } })
      assert.ok(answer.status === 401 || answer.status === 404)
      assert.equal(answer.headers.get('access-control-allow-origin'), APP)
    }
  })

  test('pages can read why a request was given up in the middle, and caches keep no such answer', async () => {
    const server = await open()
    const lines = ['Content-Type: application/x-www-form-urlencoded', 'Transfer-Encoding: chunked', `Origin: ${APP}`]
    const answer = await answerTo(server, `${head(server, 'POST /api/v1/messages', 'member', ...lines)}ZZZ\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*\r\naccess-control-allow-origin: https:\/\/app\.example\r\n/)
    assert.match(answer, /\r\nCache-Control: no-store\r\n/)
    assert.match(await answerTo(server, 'hello\r\n\r\n'), /^HTTP\/1\.1 400 [\s\S]*\r\nCache-Control: no-store\r\n/)
  })

  test('a preflight is answered without credentials, for listed origins only', async () => {
    const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'DELETE' } }
    const answer = await settings(await open(), APP, preflight)
    assert.equal(answer.status, 204)
    assert.match(String(answer.headers.get('access-control-allow-methods')), /DELETE/)
    assert.match(String(answer.headers.get('access-control-allow-headers')), /Authorization/)
    const refused = await settings(await open(), 'https://evil.example', preflight)
    assert.equal(refused.headers.get('access-control-allow-methods'), null)
    const plain = await settings(await open(), APP, { method: 'OPTIONS' })
    assert.match(String(plain.headers.get('allow')), /GET/, 'OPTIONS that is no preflight')
  })

  test('a star allows every origin, without the browser’s credentials', async () => {
    const answer = await settings(await any(), 'https://whoever.example')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
  })
})
