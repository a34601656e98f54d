import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Config, configFrom } from '../config.ts'
import { createParley } from '../create-parley.ts'
import { ROUTES } from './control.ts'
import { openStandIn } from './open-stand-in.ts'

/** A server as the command starts it. */
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

async function ask(url: string, route: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path] = route.split(' ')
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  return { status: answer.status, body: (await answer.json()) as any }
}

test('answer nothing under /testing without the flag', async (t) => {
  const { url } = await served(t, [])
  for (const route of [...Object.keys(ROUTES), 'GET /testing']) {
    const { status, body } = await ask(url, route, route.startsWith('POST') ? {} : undefined)
    assert.deepEqual([status, body.result], [404, 'error'], route)
  }
})

test('do what a test asks for over HTTP', async (t) => {
  const { url, bot } = await served(t, ['--testing'])
  const success = async (route: string, body?: unknown) => {
    const answer = await ask(url, route, body)
    assert.deepEqual([answer.status, answer.body.result], [200, 'success'], `${route} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const authorization = `Basic ${btoa(`${bot.email}:${bot.api_key}`)}`
  const me = () => ask(url, 'GET /api/v1/users/me', undefined, { authorization })
  await success('POST /testing/fail-next', { operation: 'get-own-user', code: 'USER_DEACTIVATED' })
  assert.equal((await me()).status, 401)
  await success('POST /testing/limit-rates', { calls_a_minute: 1 })
  assert.deepEqual([(await me()).status, (await me()).status], [200, 429])
  await success('POST /testing/advance', { ms: 60_000 })
  assert.equal((await me()).status, 200)
  await success('POST /testing/limit-rates', { calls_a_minute: null })
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
    requests.map(({ status }: { status: number }) => status),
    [401, 200, 429, 200, 200, 400, 400],
  )
  const { mistakes } = await success('GET /testing/mistakes')
  assert.deepEqual(
    mistakes.map(({ rule }: { rule: string }) => rule),
    ['dead-queue-polled'],
  )
  await success('POST /testing/reset')
  assert.deepEqual((await success('GET /testing/requests')).requests, [])
  assert.equal((await ask(url, `GET ${events}&dont_block=true`, undefined, asAda)).status, 200)
})

test('refuse what cannot be done, and what web pages send', async (t) => {
  const { url } = await served(t, ['--testing'])
  const refused = async (status: number, route: string, body?: unknown, headers?: Record<string, string>) => {
    const answer = await ask(url, route, body, headers)
    assert.deepEqual([answer.status, answer.body.code], [status, 'BAD_REQUEST'], route)
  }
  await refused(404, 'GET /testing/nothing')
  await refused(405, 'GET /testing/reset')
  for (const body of [[], 'text', {}, { ms: 'one' }, { ms: -1 }]) await refused(400, 'POST /testing/advance', body)
  await refused(400, 'POST /testing/limit-rates', { calls_a_minute: 'few' })
  await refused(400, 'POST /testing/limit-rates', {})
  await refused(400, 'POST /testing/users', {})
  for (const failure of [
    { status: 'bad' },
    { operation: 7, status: 500 },
    { code: 7 },
    { drop: 'all' },
    { delay: '1' },
  ]) {
    await refused(400, 'POST /testing/fail-next', failure)
  }
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
