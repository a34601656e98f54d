import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../domain/clock.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import { RateLimits } from './rate-limit.ts'
import { type Answer, basic, onEachDatabase, sharedParley, type TestServer } from './testing.ts'

/** A call from a client behind the proxy. Each test has its own addresses. */
function callFrom(
  server: TestServer,
  address: string,
  path = '/users/me',
  { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Answer> {
  // `init` replaces the headers that ApiClient would send: no credentials.
  return server.as('owner').request('GET', path, {}, { ...init, headers: { ...headers, 'X-Forwarded-For': address } })
}

const logIn = (server: TestServer, address: string, username: string, password: string) =>
  callFrom(server, address, '/fetch_api_key', { method: 'POST', body: new URLSearchParams({ username, password }) })

async function repeat(count: number, call: () => Promise<Answer>): Promise<Answer> {
  let last = await call()
  for (let index = 1; index < count; index++) last = await call()
  return last
}

/** LIMIT-19, LIMIT-20 */
function assertLimited(answer: Answer, limit: number): void {
  assert.equal(answer.status, 429)
  const { result, code, msg, 'retry-after': retryAfter } = answer.body
  assert.deepEqual([result, code], ['error', 'RATE_LIMIT_HIT'])
  assert.match(msg, /rate limit/)
  assert.ok(retryAfter > 0 && retryAfter <= 60, `retry-after ${retryAfter}`)
  assert.equal(answer.headers.get('retry-after'), String(retryAfter))
  assert.equal(answer.headers.get('x-ratelimit-limit'), String(limit))
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '0')
}

test('DIFF-MOVES: a user who moved 20,000 messages within a minute waits, and nobody else', () => {
  const limits = new RateLimits(systemClock)
  const [mover, other] = [limits.moves(1), limits.moves(2)]
  mover.spend(19_999)
  mover.check()
  mover.spend(20_000)
  assert.throws(() => mover.check(), RateLimitHitError)
  other.check()
})

test('the IPv6 addresses of one host count together', () => {
  const limits = new RateLimits(systemClock)
  for (let host = 1; host <= 100; host += 1) limits.callFrom(`2001:db8:0:1::${host}`)
  assert.throws(() => limits.callFrom('2001:db8:0:1:ffff::1'), RateLimitHitError)
  limits.callFrom('2001:db8:0:2::1')
  for (let host = 1; host <= 1000; host += 1) limits.startFrom(`2001:db8:0:1::${host}`)
  assert.throws(() => limits.startFrom('2001:db8:0:1:ffff::1'), RateLimitHitError)
})

test('simultaneous correct logins are tried one after another, and none is refused', async () => {
  const limits = new RateLimits(systemClock)
  let underWay = 0
  const right = () =>
    limits.logIn('somebody@parley.example', async () => {
      underWay += 1
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
      return underWay
    })
  const others = await Promise.all(Array.from({ length: 12 }, right))
  assert.deepEqual(others, Array(12).fill(0))
})

onEachDatabase('rate limits', (dialect) => {
  const limited = sharedParley(dialect, { rateLimits: true, trustProxy: true })
  const direct = sharedParley(dialect, { rateLimits: true })

  test('200 requests of an account in 60 s, then 429; others continue (LIMIT-18 to LIMIT-20)', async () => {
    const server = await limited()
    const [member, other] = [server.as('member'), server.as('member2')]
    const first = await member.get('/users/me')
    assert.equal(first.headers.get('x-ratelimit-limit'), '200')
    assert.equal(first.headers.get('x-ratelimit-remaining'), '199')
    const resetIn = Number(first.headers.get('x-ratelimit-reset')) - Date.now() / 1000
    assert.ok(resetIn > 0 && resetIn <= 61, `reset in ${resetIn} s`)
    const last = await repeat(199, () => member.get('/users/me'))
    assert.equal(last.status, 200)
    assert.equal(last.headers.get('x-ratelimit-remaining'), '0')
    assertLimited(await member.get('/users/me'), 200)
    assertLimited(await member.get('/nothing/such').then(() => member.get('/messages/1')), 200)
    assert.equal((await other.get('/users/me')).status, 200)
  })

  test('a user who caused 16 MiB of events within a minute can only read (DIFF-EVENT-BYTES)', async () => {
    const user = await (await limited()).newUser()
    const content = '🔥'.repeat(3000) // 260 KB of HTML
    const write = () => user.post('/messages', { type: 'direct', to: [user.userId], content })
    assert.equal((await repeat(40, write)).status, 200)
    const refused = await repeat(40, write)
    assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMIT_HIT'])
    assert.equal((await user.get('/users/me')).status, 200)
  })

  test('errors count and have the headers, too', async () => {
    const bot = (await limited()).as('bot')
    const failed = await bot.get('/messages/999999')
    assert.equal(failed.status, 400)
    assert.equal(failed.headers.get('x-ratelimit-remaining'), '199')
  })

  test('100 requests without credentials from an address in 60 s (LIMIT-18)', async () => {
    const server = await limited()
    const last = await repeat(100, () => callFrom(server, '192.0.2.1'))
    assert.equal(last.status, 401)
    assert.equal(last.headers.get('x-ratelimit-limit'), '100')
    assertLimited(await callFrom(server, '192.0.2.1'), 100)
    assert.equal((await callFrom(server, '192.0.2.2')).status, 401)
    assert.equal(
      (await callFrom(server, '192.0.2.1', '/users/me', { headers: { Authorization: auth(server, 'admin') } })).status,
      200,
    )
  })

  test('starting programs are counted separately, 1,000 from an address (SEC-HTTP-9)', async () => {
    const server = await limited()
    const start = () => callFrom(server, '192.0.2.3', '/server_settings')
    await repeat(100, () => callFrom(server, '192.0.2.3'))
    const last = await repeat(1000, start)
    assert.deepEqual([last.status, last.headers.get('x-ratelimit-limit')], [200, '1000'])
    assertLimited(await start(), 1000)
    assert.equal((await callFrom(server, '192.0.2.4', '/server_settings')).status, 200)
  })

  test('wrong keys, malformed ones and other schemes count by address: guessing ends after 100', async () => {
    const server = await limited()
    const wrong = [basic('owner@parley.example', 'x'.repeat(32)), basic('owner@parley.example', 'short'), 'Bearer x']
    let count = 0
    const guess = () => {
      const Authorization = wrong[count++ % 3] ?? ''
      return callFrom(server, '198.51.100.1', '/users/me', { headers: { Authorization } })
    }
    const last = await repeat(100, guess)
    assert.ok(last.status === 401 || last.status === 400)
    for (const _ of wrong) assertLimited(await guess(), 100)
  })

  describe('X-Forwarded-For', () => {
    test('is ignored without PARLEY_TRUST_PROXY', async () => {
      const server = await direct()
      let count = 0
      const call = () => callFrom(server, `203.0.113.${count++ % 250}`)
      await repeat(100, call)
      assertLimited(await call(), 100)
    })

    test('counts only as written by the proxy, not by the client', async () => {
      const server = await limited()
      let count = 0
      const call = () => callFrom(server, `203.0.113.${count++ % 250}, 192.0.2.77`)
      await repeat(100, call)
      assertLimited(await call(), 100)
    })
  })

  describe('POST /fetch_api_key', () => {
    test('after five failures even the right password has to wait; other accounts do not', async () => {
      const server = await limited()
      const { password } = server.credentials
      const email = server.as('moderator').email
      for (let index = 0; index < 5; index++) {
        const { status, body } = await logIn(server, '192.0.2.10', email, 'wrong')
        assert.deepEqual([status, body.code], [401, 'AUTHENTICATION_FAILED'])
      }
      for (const username of [email, email.toUpperCase(), ` ${email} `]) {
        const { status, body } = await logIn(server, '192.0.2.11', username, password)
        assert.deepEqual([status, body.code], [429, 'RATE_LIMIT_HIT'], username)
        assert.ok(body['retry-after'] > 60 && body['retry-after'] <= 1800)
      }
      assert.equal((await logIn(server, '192.0.2.10', server.as('admin').email, password)).status, 200)
    })

    test('wrong old passwords of PATCH /settings, under each of its names, count as well', async () => {
      const server = await limited()
      const user = await server.newUser()
      const new_password = 'five winds meet'
      const paths = ['/settings', '/settings/display', '/settings/notifications', '/settings']
      for (const path of paths) {
        const { body } = await user.patch(path, { old_password: 'wrong', new_password })
        assert.equal(body.msg, 'Wrong password!')
      }
      assert.equal((await logIn(server, '192.0.2.12', user.email, 'wrong')).status, 401)
      const { status } = await user.patch('/settings', { old_password: 'correct horse', new_password })
      assert.equal(status, 429)
      assert.equal((await user.patch('/settings', { twenty_four_hour_time: true })).status, 200)
    })

    test('correct passwords never count', async () => {
      const server = await limited()
      for (let index = 0; index < 7; index++) {
        const { status } = await logIn(server, '192.0.2.20', server.as('guest').email, server.credentials.password)
        assert.equal(status, 200)
      }
    })

    test('simultaneous attempts do not circumvent it', async () => {
      const server = await limited()
      const email = server.as('member2').email
      const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(server, '192.0.2.30', email, 'wrong')))
      const tried = answers.filter(({ body }) => body.code === 'AUTHENTICATION_FAILED')
      assert.equal(tried.length, 5)
      assert.ok(answers.every(({ status }) => status === 401 || status === 429))
    })

    test('unknown accounts are limited like known ones, whatever their name', async () => {
      const server = await limited()
      const name = `${'n'.repeat(10_000)}@parley.example`
      for (let index = 0; index < 5; index++) assert.equal((await logIn(server, '192.0.2.40', name, 'x')).status, 401)
      assert.equal((await logIn(server, '192.0.2.40', name, 'x')).status, 429)
    })

    test('white space around the name does not circumvent it', async () => {
      const server = await limited()
      const email = 'somebody@parley.example'
      const tryWith = (spaces: number) => logIn(server, '192.0.2.60', `${' '.repeat(spaces)}${email}`, 'wrong')
      for (let index = 0; index < 5; index++) assert.equal((await tryWith(240 + index)).status, 401)
      assert.equal((await tryWith(300)).status, 429)
      assert.equal((await tryWith(0)).status, 429)
    })
  })

  test('answers without an envelope are not limited: load balancers ask often', async () => {
    const server = await limited()
    for (let index = 0; index < 120; index++) {
      const answer = await fetch(`${server.url}/health`, { headers: { 'X-Forwarded-For': '192.0.2.50' } })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('x-ratelimit-limit'), null)
      await answer.arrayBuffer()
    }
  })
})

function auth(server: TestServer, key: string): string {
  const { email, apiKey } = server.as(key)
  return basic(email, apiKey)
}
