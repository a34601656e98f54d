import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../domain/clock.ts'
import { embeddedConfig } from './config.ts'
import { createOpenParley } from './create-parley.ts'
import { temporaryFolder } from './process-testing.ts'
import { ApiClient } from './testing.ts'

test('U10: GET /health reports a database that cannot write, until there was no fault for a while', async (t) => {
  let passedMs = 0
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passedMs }
  const settings = { rateLimits: false, checkAnswers: true, logLevel: 'silent', clock } as const
  const config = embeddedConfig({ dataFolder: await temporaryFolder(t), ...settings })
  const parley = await createOpenParley(config)
  t.after(() => parley.stop())
  const { url, credentials } = await parley.start({ port: 0 })
  assert.ok(credentials?.users.member)
  const member = new ApiClient(url, credentials.users.member)
  const limit = (pages: string) =>
    parley.inside.db.transaction(async (tx) => tx.session.all(`pragma max_page_count = ${pages}`))
  const health = async () => {
    const answer = await fetch(`${url}/health`)
    return [answer.status, ((await answer.json()) as { status: string }).status]
  }
  const send = () => member.post('/messages', { type: 'channel', to: 'general', topic: 'a', content: 'a'.repeat(9000) })

  await limit('1') // no more than there are
  let sent = await send()
  for (let tries = 0; sent.status === 200 && tries < 1000; tries += 1) sent = await send()
  assert.equal(sent.status, 500)
  assert.match(sent.body.msg, /^The server cannot store anything now/)
  assert.deepEqual(await health(), [503, 'degraded'])
  assert.equal((await member.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).status, 200)
  await limit('1000000')
  assert.equal((await send()).status, 200)
  passedMs = 90_000
  assert.deepEqual(await health(), [200, 'ok'])
})
