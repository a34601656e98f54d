import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allChecks } from './checks/all.ts'
import { allFaults } from './faults/all-testing.ts'
import { runConformance } from './run.ts'
import { faultySender, type SeededFault, ServerPool } from './testing.ts'
import { readContract } from './wire/contract.ts'

/** By the settings that faults need. */
const servers = new Map(
  ['', ...allFaults.map(keyOf)].map((key) => [key, new ServerPool(key === '' ? {} : JSON.parse(key))] as const),
)

function serversFor(key: string): ServerPool {
  const pool = servers.get(key)
  assert.ok(pool)
  return pool
}

/** How long to wait for what may never come: no longer than a fault is worth. */
const patienceMs = 3000

function keyOf({ settings }: SeededFault): string {
  return settings === undefined ? '' : JSON.stringify(settings)
}

// More than there are processors: some wait for what never comes.
describe('a seeded fault turns red the check of its requirement', { concurrency: 8 }, () => {
  for (const seeded of allFaults) {
    const { name, only, alongside = [], violates, deviates = [], fault, before, needsUsers } = seeded
    test(`${name}: ${[...violates, ...deviates].join(', ')}`, () =>
      serversFor(keyOf(seeded)).use(async ({ url, logins: everybody }) => {
        // Only the owner may make users. Without them a run takes a tenth of the time.
        const logins = needsUsers ? everybody : everybody.filter(({ email }) => !email.startsWith('owner@'))
        const strict = deviates.length > 0
        const { passed, results: all } = await runConformance({
          url,
          sender: faultySender(url, fault, before),
          logins,
          only: [only, ...alongside],
          seed: 7,
          patienceMs,
          // The first counterexample says what is wrong, as the smallest one does.
          shrinkMs: 0,
          strict,
        })
        const results = all.filter(({ check }) => alongside.length === 0 || check.id.startsWith(only))
        const findings = results.flatMap((result) => result.findings)
        const deviations = results.flatMap((result) => result.deviations)
        const found = new Set(findings.map(({ requirement }) => requirement))
        const deviated = new Set(deviations.map(({ requirement }) => requirement))
        const missed = [...violates.filter((id) => !found.has(id)), ...deviates.filter((id) => !deviated.has(id))]
        assert.deepEqual([passed, missed], [false, []], `found ${[...found, ...deviated]}`)
        for (const { requirement, says, request, answer, curl } of [...findings, ...deviations]) {
          assert.ok(says !== '' && request && answer && curl, `the finding of ${requirement} tells all`)
        }
      }))
  }
})

for (const [key, pool] of servers) {
  test(`without a fault the same checks pass${key === '' ? '' : `, with ${key}`}`, () =>
    pool.use(async ({ url, logins }) => {
      const only = [
        ...new Set(
          allFaults.filter((one) => keyOf(one) === key).flatMap(({ only, alongside = [] }) => [only, ...alongside]),
        ),
      ]
      const sender = faultySender(url, () => {})
      const { results } = await runConformance({ url, sender, logins, only, seed: 7 })
      const red = results.filter(({ outcome }) => outcome !== 'passed')
      assert.deepEqual(
        red.map(({ check, findings, reasons }) => [check.id, findings, reasons]),
        [],
      )
      assert.ok(results.length > 0)
    }))
}

test('a counterexample is shrunk, and found again by its seed and path', () =>
  serversFor('').use(async ({ url, logins }) => {
    const sender = faultySender(url, (answer, { parameters }) => {
      if (!parameters.has('conformance_extra')) return
      answer.status = 500
      answer.body = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }
    })
    const options = { url, sender, logins, only: ['envelope/hostile/get-own-user'] }
    const first = (await runConformance({ ...options, seed: 7 })).results[0]?.findings[0]
    assert.match(first?.request ?? '', /^GET \/api\/v1\/users\/me\?conformance_extra=[^&]{0,9} as member$/)
    const [, only, seed, path] = /^--only (\S+) --seed (-?\d+) --path ([\d:]+)$/.exec(first?.replay ?? '') ?? []
    assert.deepEqual([only], options.only)
    const again = (await runConformance({ ...options, seed: Number(seed), path: path ?? '' })).results[0]?.findings[0]
    assert.deepEqual([again?.request, again?.requirement], [first?.request, 'CONTRACT-FAILURE'])
  }))

test('refusals are counted of operations whose refusals were asked for; what never came is named', () =>
  serversFor('').use(async ({ url, logins }) => {
    const sender = faultySender(url, ({ body }) => {
      if (body?.code === 'REACTION_ALREADY_EXISTS') body.code = 'BAD_REQUEST'
    })
    const count = async (only: string) =>
      (await runConformance({ url, sender, logins, only: [only], seed: 7 })).refusals
    assert.deepEqual(await count('reactions/add'), { listed: 0, seen: 0, unseen: [], unprovoked: [] })
    const ofOne = await count('errors/add-reaction')
    assert.deepEqual(ofOne.unseen, ['add-reaction: 400 REACTION_ALREADY_EXISTS'])
    const unprovoked = ['408 BAD_REQUEST', '429 RATE_LIMIT_HIT', '500 INTERNAL_SERVER_ERROR']
    assert.deepEqual(
      ofOne.unprovoked,
      unprovoked.map((answer) => `add-reaction: ${answer}`),
    )
    assert.equal(ofOne.listed, ofOne.seen + 1 + unprovoked.length)
  }))

test('every requirement that a check names has a fault that turns it red', () => {
  const named = new Set(
    allChecks(readContract()).flatMap(({ requirements, conditional = [] }) => [...requirements, ...conditional]),
  )
  const seeded = new Set(allFaults.flatMap(({ violates }) => violates))
  assert.deepEqual(
    [...named].filter((id) => !seeded.has(id)),
    [],
  )
  assert.deepEqual(
    [...seeded].filter((id) => !named.has(id)),
    [],
  )
})
