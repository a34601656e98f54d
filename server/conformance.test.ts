import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { allChecks } from '../conformance/checks/all.ts'
import { loginsOf } from '../conformance/deployment/deployment-testing.ts'
import { PushRelay } from '../conformance/deployment/push-relay.ts'
import { ALWAYS_LEFT_OUT, LIMITED_ONLY, NOT_OBSERVABLE, STAND_IN_ONLY } from '../conformance/left-out-testing.ts'
import { unprovokableOf } from '../conformance/provocations/unprovokable.ts'
import { runConformance } from '../conformance/run.ts'
import { seed } from '../conformance/seed-testing.ts'
import { harmless, readContract } from '../conformance/wire/contract.ts'
import type { Login } from '../conformance/wire/http.ts'
import { nameOf } from '../conformance/wire/refusals.ts'
import { EXPORTS } from '../domain/limits.ts'
import { type Config, configFrom } from './config.ts'
import { openStandIn } from './stand-in/open-stand-in.ts'
import { onEachDatabase, sharedParley, type TestServer } from './testing.ts'

const ASKED = harmless(readContract())
/** All other refusals of the contract have been seen. */
const UNPROVOKABLE = ASKED.flatMap((operation) =>
  operation.errors.flatMap((answer) => {
    const found = unprovokableOf(operation, answer)
    return found === undefined || found.check !== undefined ? [] : [nameOf(operation, answer)]
  }),
)

const relay = await PushRelay.listen()

onEachDatabase('conformance suite', (dialect) => {
  const settings = {
    heartbeatSeconds: 5,
    partialSubscribersFrom: 250,
    pushRelayUrl: relay.url,
    hasDevelopmentLogin: true,
  }
  const parley = sharedParley(dialect, settings)
  const limited = sharedParley(dialect, { rateLimits: true })

  test('passes, skips nothing else, and examines every requirement that its checks name', async () => {
    await growOld(await parley())
    const { url, logins } = await reached(parley)
    const { results, passed, noUsers, refusals, remains } = await runConformance({
      url,
      logins,
      strict: true,
      pushRelay: relay,
      seed,
    })
    const wrong = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'deviation')
    assert.deepEqual(
      wrong.map(({ check, findings, deviations }) => [check.id, findings, deviations]),
      [],
    )
    assert.deepEqual([passed, noUsers], [true, undefined])
    assert.deepEqual(remains, [])
    const leftOut = results.filter(({ outcome }) => outcome === 'left out').map(({ check }) => check.id)
    assert.deepEqual(leftOut.toSorted(), [...ALWAYS_LEFT_OUT, ...LIMITED_ONLY, ...STAND_IN_ONLY].toSorted())
    const unseen = results.flatMap(({ outcome, reasons }) => (outcome === 'passed' ? reasons : []))
    assert.deepEqual(unseen.toSorted(), NOT_OBSERVABLE.toSorted())
    assert.deepEqual([refusals.unseen, refusals.unprovoked], [[], UNPROVOKABLE])
  })

  test('passes with rate limits', async () => {
    const { url, logins } = await reached(limited)
    // The suite then requests one more than the organization may have in a week.
    for (let count = 0; count < EXPORTS.count; count += 1)
      await (await limited()).as('owner').must('POST', '/export/realm')
    const { results } = await runConformance({
      url,
      logins,
      strict: true,
      seed,
      only: [...LIMITED_ONLY, 'data-exports/rights'],
    })
    const told = results.map(({ check, outcome, findings, reasons }) => [check.id, outcome, findings, reasons])
    assert.deepEqual(
      told,
      ['data-exports/rights', ...LIMITED_ONLY].map((id) => [id, 'passed', [], []]),
    )
  })
})

// Checks that must wait on other servers, and situations that no client can cause without control of a clock.
test('conformance suite passes on a server whose clock it moves', async (t) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const given = { PARLEY_DATA: dataFolder, PORT: '0', PARLEY_TESTING: 'on', PARLEY_LOG_LEVEL: 'error' }
  const standIn = await openStandIn(configFrom(given, []) as Config)
  t.after(async () => {
    await standIn.stop()
    await rm(dataFolder, { recursive: true, force: true })
  })
  const { url, credentials } = await standIn.start()
  const checks = allChecks(readContract()).filter(({ movesClock }) => movesClock)
  const { results } = await runConformance({
    url,
    logins: loginsOf(credentials ?? assert.fail()),
    strict: true,
    seed,
    checks,
  })
  assert.deepEqual(
    results.map(({ check, outcome, findings, reasons }) => [check.id, outcome, findings, reasons]),
    checks.map(({ id }) => [id, 'passed', [], []]),
  )
})

const DAY_SECONDS = 24 * 3600

/**
 * Creates data that organizations have but no operation creates: people who were online long ago, channels without a
 * creator, emoji.
 */
async function growOld(server: TestServer): Promise<void> {
  for (const days of [20, 3, 10, 200]) {
    const person = await server.newUser()
    await person.must('POST', '/users/me/presence', { status: 'active' })
    const seconds = days * DAY_SECONDS
    await server.inDatabase(async (session) =>
      session.run('update presence set active_at = active_at - ?, connected_at = connected_at - ? where user_id = ?', [
        seconds,
        seconds,
        person.userId,
      ]),
    )
  }
  await server.inDatabase(async (session) =>
    session.run('update channel set creator_id = null where name = ?', ['engineering']),
  )
  await server.inDatabase(async (session) =>
    session.run('insert into custom_emoji (name, file_name, is_deactivated, is_animated) values (?, ?, 0, 0)', [
      'parley_square',
      'square.png',
    ]),
  )
}

async function reached(server: () => Promise<TestServer>): Promise<{ url: string; logins: Login[] }> {
  const { url, credentials } = await server()
  return { url, logins: loginsOf(credentials) }
}
