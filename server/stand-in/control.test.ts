import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Config, configFrom } from '../config.ts'
import { createParley } from '../create-parley.ts'
import { encode } from './api-client.ts'
import { operations } from './control-testing.ts'
import { openStandIn } from './open-stand-in.ts'

/** A server started by the command. */
async function served(t: TestContext, args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const config = configFrom({}, ['--data', folder, '--port', '0', '--log-level', 'error', ...args]) as Config
  const parley = await (config.testing === 'off' ? createParley(config) : openStandIn(config))
  t.after(async () => {
    await parley.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const { url, credentials } = await parley.start()
  return { url, bot: credentials?.users.bot ?? assert.fail() }
}

async function ask(url: string, route: string, sent?: Record<string, unknown>, headers: Record<string, string> = {}) {
  const [method = '', path] = route.split(' ')
  const answer = await fetch(`${url}${path}`, { method, headers, ...(sent && { body: encode(sent) }) })
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
}

/** The paths under /testing in the served documents. */
async function described(url: string): Promise<string[][]> {
  const documents = ['/api/v1/openapi.json', '/api/v1/openapi-3.0.json'].map(async (path) => {
    const { body } = await ask(url, `GET ${path}`)
    const references = new Set(JSON.stringify(body).match(/(?<="\$ref":"#\/components\/schemas\/)\w+/g))
    assert.deepEqual(
      [...references].filter((name) => !Object.hasOwn(body.components.schemas, name)),
      [],
    )
    return Object.keys(body.paths).filter((one) => one.startsWith('/testing'))
  })
  return Promise.all(documents)
}

test('answer and describe nothing under /testing without the flag', async (t) => {
  const { url } = await served(t, [])
  const { body: unknown } = await ask(url, 'GET /elsewhere')
  for (const { method, path } of [...operations(), { method: 'GET', path: '/testing' }]) {
    const { status, body } = await ask(url, `${method} ${path}`)
    assert.deepEqual([status, body], [404, unknown], path)
  }
  assert.deepEqual(await described(url), [[], []])
})

test('do what a test requests over HTTP, as the contract says', async (t) => {
  const { url, bot } = await served(t, ['--testing'])
  const left = new Set(operations().map(({ method, path }) => `${method} ${path}`))
  const success = async (route: string, sent?: Record<string, unknown>) => {
    const answer = await ask(url, route, sent)
    assert.deepEqual([answer.status, answer.body.result], [200, 'success'], `${route} ${JSON.stringify(answer.body)}`)
    left.delete(route)
    return answer.body
  }
  const paths = operations().map(({ path }) => path)
  assert.deepEqual(await described(url), [paths, paths])
  const authorization = `Basic ${btoa(`${bot.email}:${bot.api_key}`)}`
  const me = () => ask(url, 'GET /api/v1/users/me', undefined, { authorization })
  await success('POST /testing/fail-next', { operation: 'get-own-user', code: 'RATE_LIMIT_HIT', retry_after: 0.04 })
  const limited = await me()
  assert.deepEqual([limited.status, limited.headers.get('Retry-After')], [429, '0.04'])
  await success('POST /testing/limit-rates', { calls_a_minute: 1 })
  assert.deepEqual([(await me()).status, (await me()).status], [200, 429])
  await success('POST /testing/advance', { ms: 60_000 })
  assert.equal((await me()).status, 200)
  await success('POST /testing/limit-rates')
  const { email, api_key: key } = await success('POST /testing/users', { full_name: 'Ada' })
  const asAda = { authorization: `Basic ${btoa(`${email}:${key}`)}` }
  const registered = await ask(url, 'POST /api/v1/register', undefined, asAda)
  await success('POST /testing/snapshot')
  await success('POST /testing/pause-events')
  await success('POST /testing/resume-events')
  await success('POST /testing/restart')
  assert.equal((await success('POST /testing/expire-queues')).queues, 1)
  const events = `/api/v1/events?queue_id=${registered.body.queue_id}&last_event_id=-1`
  for (const _ of [1, 2]) assert.equal((await ask(url, `GET ${events}`, undefined, asAda)).status, 400)
  const { requests } = await success('GET /testing/requests')
  assert.deepEqual(
    requests.slice(-7).map(({ status }: { status: number }) => status),
    [429, 200, 429, 200, 200, 400, 400],
  )
  const { mistakes } = await success('GET /testing/mistakes')
  assert.deepEqual(
    mistakes.map(({ rule }: { rule: string }) => rule),
    ['dead-queue-polled'],
  )
  await success('POST /testing/reset')
  assert.deepEqual((await success('GET /testing/requests')).requests, [])
  assert.equal((await ask(url, `GET ${events}&dont_block=true`, undefined, asAda)).status, 200)
  assert.deepEqual([...left], [])
})

test('refuse the impossible, and requests of web pages', async (t) => {
  const { url } = await served(t, ['--testing'])
  const refused = async (
    status: number,
    route: string,
    sent?: Record<string, unknown>,
    headers?: Record<string, string>,
  ) => {
    const answer = await ask(url, route, sent, headers)
    assert.deepEqual([answer.status, answer.body.result], [status, 'error'], route)
    return answer
  }
  await refused(404, 'GET /testing/nothing')
  await refused(404, 'GET /testing')
  assert.equal((await refused(405, 'GET /testing/reset')).headers.get('Allow'), 'POST, OPTIONS')
  assert.equal((await refused(400, 'POST /testing/advance')).body.code, 'REQUEST_VARIABLE_MISSING')
  for (const ms of ['one', -1, 1.5, 1e15]) {
    assert.match((await refused(400, 'POST /testing/advance', { ms })).body.msg, /\bms\b/)
  }
  await refused(400, 'POST /testing/limit-rates', { calls_a_minute: 'few' })
  await refused(400, 'POST /testing/users', { full_name: ' ' })
  // failures.test.ts tests the failures that failNext refuses.
  for (const failure of [{}, { drop: 'all' }, { delay: '1s' }]) await refused(400, 'POST /testing/fail-next', failure)
  for (const [route, sent, named] of [
    ['POST /testing/fail-next', { opration: 'send-message', status: 500 }, 'opration'],
    ['POST /testing/advance', { ms: 1, s: 7 }, 's'],
    ['POST /testing/reset', { now: true }, 'now'],
    ['GET /testing/requests?since=1', undefined, 'since'],
  ] as const) {
    assert.match((await refused(400, route, sent)).body.msg, new RegExp(`\\b${named}\\b`), `U6: ${route}`)
  }
  await refused(415, 'POST /testing/advance', { ms: 1 }, { 'content-type': 'application/json' })
  await refused(413, 'POST /testing/users', { full_name: 'x'.repeat(100_000) })
  await refused(400, 'POST /testing/reset', undefined, { origin: 'https://example.com' })
  const status = await new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const headers = { host: `rebound.example:${port}` }
    request({ host: '127.0.0.1', port, path: '/testing/requests', headers }, (answer) => resolve(answer.statusCode))
      .on('error', reject)
      .end()
  })
  assert.equal(status, 400)
})
