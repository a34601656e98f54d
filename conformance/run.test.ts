import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { whileSet } from './deployment/organization.ts'
import type { Check } from './kernel/check.ts'
import type { ConformanceOptions, RunProfile, Start } from './options.ts'
import { htmlReport } from './reports/html.ts'
import { junitReport } from './reports/junit.ts'
import { startText, summaryText } from './reports/terminal.ts'
import { runConformance, selectedChecks } from './run.ts'
import { fc } from './seed-testing.ts'
import { sharedServer } from './server-pool-testing.ts'
import { type Fault, faultySender } from './testing.ts'
import { readContract } from './wire/contract.ts'
import { Http } from './wire/http.ts'
import { type Send, sendByNode } from './wire/node-sender.ts'
import { Pace } from './wire/pace.ts'
import type { Json } from './wire/values.ts'

const server = sharedServer({ PARLEY_HEARTBEAT_SECONDS: '4' })
const ownServer = sharedServer({ PARLEY_HEARTBEAT_SECONDS: '5' })
const limitedServer = sharedServer({ PARLEY_RATE_LIMITS: 'on' })

test('checks that only wait run in parallel, unless they share given people', async () => {
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

test('a check that may wait longer than the budget is skipped', async () => {
  const { url, logins } = await server()
  const { results } = await runConformance({ url, logins, only: ['events/heartbeat'], budgetMs: 30_000 })
  assert.deepEqual(
    results.map(({ outcome, reasons }) => [outcome, reasons]),
    [['left out', ['waits for up to 60 s, longer than the budget of 30 s']]],
  )
})

/** Lets the server claim another feature level. */
function atLevel(url: string, level: number): Send {
  return faultySender(url, ({ body }) => {
    if (body?.zulip_feature_level) body.zulip_feature_level = level
  })
}

test('a server of an older level than the suite knows is not tested', async () => {
  const { url, logins } = await server()
  await assert.rejects(runConformance({ url, logins, sender: atLevel(url, 262) }), {
    name: 'CannotRunError',
    message: 'the server is at feature level 262, and the suite tests servers of level 263 (of 2024) or newer',
  })
})

test('a check says if nothing in it applies at the server’s level, or something is missing', async () => {
  const { url, logins } = await server()
  const only = ['edits/expectation', 'attachments/references']
  const { results } = await runConformance({ url, logins, sender: atLevel(url, 284), only })
  const of = new Map(results.map(({ check, outcome, reasons }) => [check.id, [outcome, ...reasons].join('; ')]))
  assert.equal(
    of.get('edits/expectation'),
    'left out; update-message has no `prev_content_sha256` at the level of this server',
  )
  const notYet = ['ATTACH-6', 'ATTACH-7', 'MSG-EDIT-52', 'MSG-EDIT-53', 'MSG-EDIT-54']
  assert.equal(
    of.get('attachments/references'),
    ['left out', ...notYet.map((id) => `${id}: does not hold at level 284`)].join('; '),
  )
})

test('a larger budget brings more values, but not with rate limits', async () => {
  const requestsIn = async (limits: 'on' | 'off', budgetMs: number): Promise<number> => {
    const { url, logins } = await (limits === 'on' ? limitedServer() : server())
    const only = ['envelope/hostile/get-own-user']
    const { requests, passed } = await runConformance({ url, logins, only, budgetMs })
    assert.ok(passed)
    return requests
  }
  const [usual, longer] = [await requestsIn('off', 60_000), await requestsIn('off', 120_000)]
  const [limited, limitedLonger] = [await requestsIn('on', 60_000), await requestsIn('on', 120_000)]
  assert.ok(longer - usual >= 12, `${longer - usual} requests more`)
  assert.deepEqual([limited - usual, limitedLonger - usual], [0, 0])
})

/** The plan that a run reports at its start; the run ends there. */
async function startOf(started: typeof server, options: Partial<ConformanceOptions> = {}) {
  const { url, logins } = await started()
  const ending = new AbortController()
  let start: Start | undefined
  const onStart = (told: Start): void => {
    start = told
    ending.abort()
  }
  await runConformance({ url, logins, ...options, onStart, signal: ending.signal })
  return start
}

test('U3: with rate limits and no options a quick run is made, and announced', async () => {
  const quick = await startOf(limitedServer)
  assert.ok(quick !== undefined)
  assert.deepEqual([quick.profile, quick.isLimited], ['quick', true])
  assert.match(
    startText(quick),
    /^\S+ at feature level 482: \d+ of \d+ checks, profile quick, seed \d+\nThe server limits requests: /,
  )
  const chosen = [{ profile: 'all' }, { budgetMs: 900_000 }, { only: ['impostors'] }] as const
  for (const options of chosen) assert.equal((await startOf(limitedServer, options))?.profile, 'all')
  assert.equal((await startOf(server))?.profile, 'all')
})

test('if all checks would take long, a quick run is made, and its duration announced', async () => {
  const slowly: Send = async (url, init) => {
    await setTimeout(100)
    return sendByNode(url, init)
  }
  const slow = await startOf(server, { sender: slowly })
  assert.equal(slow?.profile, 'quick')
  assert.match(
    startText({ ...slow, answerMs: 100 }),
    /\nAn answer takes 100 ms: this takes some 6 minutes, all checks 13 \(--profile all\)\.$/,
  )
  assert.equal((await startOf(server, { sender: slowly, profile: 'all' }))?.profile, 'all')
})

test('U3: a quick run checks nearly every requirement', () => {
  const named = (profile: RunProfile): Set<string> =>
    new Set(selectedChecks({ profile }, readContract()).flatMap(({ requirements }) => requirements))
  const [quick, all] = [named('quick'), named('all')]
  assert.ok(quick.size > 0.95 * all.size, `${quick.size} of ${all.size}`)
})

/** A check that passes, or runs `run`. */
function own(id: string, more: Partial<Check> = {}): Check {
  return {
    id,
    title: id,
    area: id.split('/')[0] ?? '',
    requirements: ['ENV-6'],
    async run(t) {
      const exchange = await (await t.user()).call('get-own-user')
      t.that('ENV-6', exchange, true, 'an answer')
    },
    ...more,
  }
}

test('under a budget short checks start first, area by area', async () => {
  const { url, logins } = await server()
  const checks = [
    own('one/hard', { isCostly: true }),
    ...['one/a', 'one/b', 'two/a', 'two/b'].map((id) => own(id)),
    own('two/first', { isFirst: true, isCostly: true }),
  ]
  const people = logins.filter(({ email }) => email.startsWith('member@'))
  const order = async (budget: { budgetMs?: number }): Promise<string[]> => {
    const begun: string[] = []
    const onResult = ({ check }: { check: Check }): void => {
      begun.push(check.id)
    }
    await runConformance({ url, logins: people, checks, ...budget, onResult })
    return begun
  }
  assert.deepEqual(await order({}), ['two/first', 'one/hard', 'one/a', 'one/b', 'two/a', 'two/b'])
  const cheapFirst = ['one/a', 'two/a', 'one/b', 'two/b', 'one/hard', 'two/first']
  assert.deepEqual(await order({ budgetMs: 60_000 }), cheapFirst)
})

test('all checks have started before values are multiplied', async () => {
  const { url, logins } = await server()
  const seen: string[] = []
  const withValues = own('one/values', {
    async run(t) {
      const exchange = await (await t.user()).call('get-own-user')
      seen.push('values')
      await t.property(fc.integer(), async () => {
        t.that('ENV-6', exchange, true, 'an answer')
      })
    },
  })
  const last = own('two/last', {
    isCostly: true,
    async run(t) {
      seen.push('last')
      t.that('ENV-6', await (await t.user()).call('get-own-user'), true, 'an answer')
    },
  })
  const people = logins.filter(({ email }) => email.startsWith('member@'))
  const run = { url, logins: people, checks: [withValues, last], budgetMs: 180_000 }
  const { passed, results } = await runConformance(run)
  assert.deepEqual([passed, results.length, seen], [true, 2, ['values', 'last', 'values', 'values']])
})

test('a server that disappears fails the checks, and the report lists what may be left on it', async () => {
  const { url, logins } = await server()
  for (const when of ['before the first account', 'in a check']) {
    let isGone = false
    const sender: Send = (url, init) => (isGone ? Promise.reject(new Error('gone')) : sendByNode(url, init))
    const check = own('one/gone', {
      async run(t) {
        isGone = true
        await (await t.user()).call('get-own-user')
      },
    })
    const people = logins.filter(({ email }) => when !== 'in a check' || email.startsWith('member@'))
    const onStart = (): void => {
      isGone = when !== 'in a check'
    }
    const report = await runConformance({ url, logins: people, checks: [check], sender, onStart })
    assert.deepEqual([report.results[0]?.outcome, report.passed], ['failed', false], when)
    assert.match(summaryText(report), /left behind: 1 \(perhaps everything: .*: gone\)/, when)
  }
})

describe('a check that cannot continue', () => {
  const withError = own('one/error', {
    async run(t) {
      const { body } = await (await t.user()).call('get-own-user')
      body.profile.no.such.thing.at.all
    },
  })
  const outcome = async (fault: Fault) => {
    const { url, logins } = await server()
    return runConformance({ url, logins, checks: [withError], sender: faultySender(url, fault) })
  }

  test('is an error of the suite if the server did nothing wrong', async () => {
    const report = await outcome(() => {})
    const [{ outcome: how, findings, reasons } = assert.fail()] = report.results
    assert.deepEqual([how, findings, report.passed, report.broken], ['broken', [], false, ['one/error']])
    assert.match(reasons[0] ?? '', /^TypeError: /)
    assert.match(summaryText(report), /please report it.*\nERROR OF THE SUITE: 0 passed, 0 failed/)
    assert.match(htmlReport(report), /<h1 class="failed">Error of the suite: .*Error: TypeError: /s)
    assert.match(junitReport(report), /errors="1".*<error message="TypeError: /s)
  })

  test('is a failure of the server if an answer lacks what the contract describes', async () => {
    const report = await outcome(({ body }, { path }) => {
      if (path === '/users/me') delete body.full_name
    })
    const [
      {
        outcome: how,
        findings: [finding],
      } = assert.fail(),
    ] = report.results
    assert.deepEqual([how, finding?.requirement, report.broken], ['failed', 'CONTRACT-ANSWER', []])
    assert.match(finding?.expected ?? '', /must have required property 'full_name'/)
    assert.deepEqual(finding?.comparison?.at(-1), { text: '(no "full_name")', isMarked: true })
  })
})

describe('the settings of the organization', () => {
  /** Sets them on a server of its own, and tells how they are. */
  async function organization(values: Readonly<Record<string, unknown>>) {
    const { url, logins } = await ownServer()
    const as = logins.find(({ email }) => email.startsWith('owner@'))
    const http = new Http(url, new Pace())
    const form = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)] as const)
    const set = await http.send({ method: 'PATCH', path: '/api/v1/realm', form, as, caller: 'owner' })
    assert.deepEqual([set.status, set.body.ignored_parameters_unsupported], [200, undefined])
    const state = async (): Promise<Json> =>
      (await http.send({ method: 'POST', path: '/api/v1/register', as, caller: 'owner' })).body
    return { url, logins, state }
  }
  const administrators = { new: 3 }

  test('do not fail the server where they refuse what checks need', async () => {
    const { url, logins } = await organization({
      can_create_groups: { new: 1 },
      can_create_public_channel_group: administrators,
      can_create_private_channel_group: administrators,
      allow_message_editing: false,
    })
    const only = [
      ...['effects/create-user-group/deactivated', 'effects/update-realm', 'envelope/success/update-message'],
      'topics/list',
    ]
    const { results } = await runConformance({ url, logins, only })
    const reason = (setting: string): string => `left out; not as usual in this organization: \`${setting}\``
    assert.deepEqual(
      results.map(({ check, outcome, reasons }) => [check.id, [outcome, ...reasons].join('; ')]).toSorted(),
      [
        ['effects/create-user-group/deactivated', reason('can_create_groups')],
        ['effects/update-realm', reason('can_create_groups')],
        ['envelope/success/update-message', reason('allow_message_editing')],
        ['topics/list', 'passed'],
      ],
    )
  })

  test('are restored after an interruption', async () => {
    const { url, logins, state } = await organization({ message_content_edit_limit_seconds: 'unlimited' })
    const ending = new AbortController()
    const check = own('one/interrupted', {
      run: (t) =>
        whileSet(t.person('owner'), [], { message_content_edit_limit_seconds: 1 }, async () => {
          assert.equal((await state()).realm_message_content_edit_limit_seconds, 1)
          ending.abort()
        }),
    })
    const before = await state()
    const { isInterrupted, remains } = await runConformance({ url, logins, checks: [check], signal: ending.signal })
    const { realm_message_content_edit_limit_seconds: limit, realm_can_create_groups: group } = await state()
    assert.deepEqual([isInterrupted, remains, limit, group], [true, [], null, before.realm_can_create_groups])
  })
})

describe('where users cannot be created', () => {
  const outcomesFor = async (people: readonly string[], only: readonly string[]): Promise<unknown> => {
    const { url, logins: all } = await server()
    const logins = all.filter(({ email }) => people.some((name) => email.startsWith(`${name}@`)))
    const { results } = await runConformance({ url, logins, only })
    return results.map(({ check, outcome }) => [check.id, outcome])
  }

  test('checks run that need only one person', async () => {
    const only = ['envelope/success/get-messages', 'envelope/success/get-user']
    assert.deepEqual(await outcomesFor(['member'], only), [
      ['envelope/success/get-messages', 'passed'],
      ['envelope/success/get-user', 'left out'],
    ])
  })

  test('given people have their original names at the end', async () => {
    const { url, logins } = await server()
    const people = logins.filter(({ email }) => email.startsWith('member@'))
    const own = { method: 'GET', path: '/api/v1/users/me', as: people[0], caller: 'member' }
    const name = async (): Promise<unknown> => (await new Http(url, new Pace()).send(own)).body.full_name
    const before = await name()
    const only = ['envelope/hostile/update-settings']
    const { passed } = await runConformance({ url, logins: people, only, seed: 3, budgetMs: 600_000 })
    assert.deepEqual([passed, await name()], [true, before])
  })

  test('given people may have turned off what a request needs', async () => {
    const { url, logins } = await server()
    const off = ['presence_enabled', 'send_private_typing_notifications', 'send_stream_typing_notifications']
    const form = off.map((name) => [name, 'false'] as const)
    for (const as of logins.filter(({ email }) => email.startsWith('member'))) {
      const change = { method: 'PATCH', path: '/api/v1/settings', as, caller: 'member', form }
      assert.equal((await new Http(url, new Pace()).send(change)).status, 200)
    }
    const operations = ['set-typing-status', 'set-typing-status-for-edit', 'get-presence']
    const only = operations.map((operation) => `envelope/success/${operation}`)
    assert.deepEqual(
      new Map((await outcomesFor(['member', 'member2'], only)) as [string, string][]),
      new Map(only.map((id) => [id, 'passed'])),
    )
  })
})
