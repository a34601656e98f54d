import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { StatusAnswer } from '../handler.ts'
import { getHealth } from './get-health.ts'

onEachDatabase('requests of operators and tools', (dialect) => {
  const parley = sharedParley(dialect)
  const ask = async (path: string) => {
    const answer = await fetch((await parley()).url + path)
    return { status: answer.status, type: String(answer.headers.get('content-type')), text: await answer.text() }
  }

  test('GET /metrics: counts answers by operation and status, queues, and parked polls', async () => {
    const member = (await parley()).as('member')
    await member.must('GET', '/users/me')
    await member.get('/messages/999999')
    const { queue_id } = await member.must('POST', '/register', { fetch_event_types: [] })
    const waiting = member.get('/events', { queue_id })
    let text = ''
    // Asks until the poll has arrived.
    while (!text.includes('parley_event_queues{state="parked"} 1')) text = (await ask('/metrics')).text
    assert.match(text, /^parley_event_queues\{state="all"\} 1$/m)
    assert.match(text, /^parley_answer_seconds_count\{operation="get-own-user",status="200"\} 1$/m)
    assert.match(text, /^parley_answer_seconds_count\{operation="get-message",status="400"\} 1$/m)
    assert.match((await ask('/metrics')).type, /^text\/plain; version=0\.0\.4/)
    await member.must('DELETE', '/events', { queue_id })
    await waiting
    const { text: after } = await ask('/metrics')
    assert.match(after, /^parley_event_queues\{state="parked"\} 0$/m)
    for (const secret of [member.apiKey, member.email]) assert.ok(!after.includes(secret))
  })

  test('GET /: is a page with this address in its commands, and without scripts', async () => {
    const server = await parley()
    const answer = await fetch(`${server.url}/`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    const policy = String(answer.headers.get('content-security-policy'))
    const page = await answer.text()
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? ''
    assert.ok(policy.startsWith("default-src 'none'"))
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`))
    assert.ok(page.includes('<h1>Parley Demo</h1>') && page.includes(`curl ${server.url}/api/v1/messages`))
    assert.equal((await fetch(`${server.url}/`, { method: 'POST' })).status, 405)
  })

  test('GET /static/{file_name}: serves pictures of the organization by name, and no other files', async () => {
    const server = await parley()
    const settings = await server.as('member').must('GET', '/server_settings')
    const icon = await fetch(new URL(settings.realm_icon, server.url))
    assert.equal(icon.headers.get('x-content-type-options'), 'nosniff')
    for (const name of ['nope.png', '..%2fapp.ts', '%2e%2e%2fpackage.json', '.', 'icon', '%00']) {
      const { status, text } = await ask(`/static/${name}`)
      assert.ok(status === 404 || status === 400, name)
      assert.equal(JSON.parse(text).code, 'BAD_REQUEST')
    }
  })
})

test('GET /health: 503 after 2 s if the database does not answer (SEC-HTTP-8)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const logged: string[] = []
  const answer = getHealth({
    db: { read: { upToDate: () => new Promise(() => undefined) } },
    server: { uptimeSeconds: () => 5 },
    log: { error: (_: object, sentence: string) => logged.push(sentence) },
  } as never)
  t.mock.timers.tick(1999)
  await Promise.resolve()
  assert.deepEqual(logged, [])
  t.mock.timers.tick(1)
  assert.deepEqual(
    await answer,
    new StatusAnswer(503, { status: 'unavailable', feature_level: 482, uptime_seconds: 5 }),
  )
  assert.deepEqual(logged, ['database not reached'])
})
