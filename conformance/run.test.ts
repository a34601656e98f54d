import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runConformance } from './run.ts'
import { faultyProxy, sharedServer } from './testing.ts'

const server = sharedServer({ PARLEY_HEARTBEAT_SECONDS: '4' })
const limitedServer = sharedServer({ PARLEY_RATE_LIMITS: 'on' })

test('a check that only waits runs beside the others, also where given people are in one check at a time', async () => {
  const { url, logins } = await server()
  const people = logins.filter(({ email }) => !email.startsWith('owner@'))
  const ended: string[] = []
  const { passed } = await runConformance({
    url,
    logins: people,
    only: ['events/heartbeat', 'events/refused'],
    onResult: ({ check }) => ended.push(check.id),
  })
  assert.deepEqual([passed, ended], [true, ['events/refused', 'events/heartbeat']])
})

test('a check that may wait longer than the budget is left out', async () => {
  const { url, logins } = await server()
  const { results } = await runConformance({ url, logins, only: ['events/heartbeat'], budgetMs: 30_000 })
  assert.deepEqual(
    results.map(({ outcome, reasons }) => [outcome, reasons]),
    [['left out', ['waits for up to 60 s, longer than the budget of 30 s']]],
  )
})

test('a check of which nothing holds at the level of the server says so', async () => {
  const { url, logins } = await server()
  const proxy = await faultyProxy(url, ({ body }) => {
    if (body?.zulip_feature_level) body.zulip_feature_level = 378
  })
  try {
    const { results } = await runConformance({ url: proxy.url, logins, only: ['edits/expectation'] })
    const wanted = ['MSG-EDIT-23', 'MSG-EDIT-24', 'MSG-EDIT-25'].map((id) => `${id}: does not hold at level 378`)
    assert.deepEqual(
      results.map(({ outcome, reasons }) => [outcome, reasons]),
      [['left out', wanted]],
    )
  } finally {
    await proxy.close()
  }
})

test('a longer budget brings more values, but not where requests are limited', async () => {
  const requestsIn = async (limits: 'on' | 'off', budgetMs: number): Promise<number> => {
    const { url, logins } = await (limits === 'on' ? limitedServer() : server())
    const only = ['envelope/hostile/get-own-user']
    const { requests, passed } = await runConformance({ url, logins, only, budgetMs })
    assert.ok(passed)
    return requests
  }
  const [usual, longer] = [await requestsIn('off', 60_000), await requestsIn('off', 120_000)]
  const [limited, limitedLonger] = [await requestsIn('on', 60_000), await requestsIn('on', 120_000)]
  assert.deepEqual([longer - usual, limited - usual, limitedLonger - usual], [12, 0, 0])
})

describe('where no users can be made', () => {
  const outcomesFor = async (people: readonly string[], only: readonly string[]): Promise<unknown> => {
    const { url, logins: all } = await server()
    const logins = all.filter(({ email }) => people.some((name) => email.startsWith(`${name}@`)))
    const { results } = await runConformance({ url, logins, only })
    return results.map(({ check, outcome }) => [check.id, outcome])
  }

  test('one person does what takes no other', async () => {
    const only = ['envelope/success/get-messages', 'envelope/success/get-user']
    assert.deepEqual(await outcomesFor(['member'], only), [
      ['envelope/success/get-messages', 'passed'],
      ['envelope/success/get-user', 'left out'],
    ])
  })

  test('given people have their names in the end, whatever was sent', async () => {
    const { url, logins } = await server()
    const people = logins.filter(({ email }) => email.startsWith('member@'))
    const name = async (): Promise<unknown> => {
      const [{ email, apiKey } = { email: '', apiKey: '' }] = people
      const headers = { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
      const answer = (await (await fetch(`${url}/api/v1/users/me`, { headers })).json()) as { full_name?: unknown }
      return answer.full_name
    }
    const before = await name()
    const only = ['envelope/hostile/update-settings']
    const { passed } = await runConformance({ url, logins: people, only, seed: 3, budgetMs: 600_000 })
    assert.deepEqual([passed, await name()], [true, before])
  })

  test('given people may have turned off what a request takes', async () => {
    const { url, logins } = await server()
    const off = ['presence_enabled', 'send_private_typing_notifications', 'send_stream_typing_notifications']
    for (const { email, apiKey } of logins.filter((one) => one.email.startsWith('member'))) {
      const { status } = await fetch(`${url}/api/v1/settings`, {
        method: 'PATCH',
        headers: { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` },
        body: new URLSearchParams(off.map((name) => [name, 'false'])),
      })
      assert.equal(status, 200)
    }
    const operations = ['set-typing-status', 'set-typing-status-for-edit', 'get-presence']
    const only = operations.map((operation) => `envelope/success/${operation}`)
    assert.deepEqual(
      new Map((await outcomesFor(['member', 'member2'], only)) as [string, string][]),
      new Map(only.map((id) => [id, 'passed'])),
    )
  })
})
