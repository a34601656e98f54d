import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allChecks } from './checks/all.ts'
import { readContract } from './contract.ts'
import { allFaults } from './faults/all-testing.ts'
import { runConformance } from './run.ts'
import { faultyProxy, type SeededFault, sharedServer } from './testing.ts'

const server = sharedServer()
const servers = new Map(
  [...new Set(allFaults.map(keyOf))].map((key) => [key, key === '' ? server : sharedServer(JSON.parse(key))] as const),
)
/** What never comes is waited for no longer than a fault is worth. */
const patienceMs = 3000

function keyOf({ settings }: SeededFault): string {
  return settings === undefined ? '' : JSON.stringify(settings)
}

describe('a seeded fault turns red the check of its requirement', { concurrency: 3 }, () => {
  for (const seeded of allFaults) {
    const { name, only, violates, fault, needsUsers } = seeded
    test(`${name}: ${violates.join(', ')}`, async () => {
      const { url, logins: all } = await (servers.get(keyOf(seeded)) ?? server)()
      // Only the owner may make users. Without them a run takes a tenth of the time.
      const logins = needsUsers ? all : all.filter(({ email }) => !email.startsWith('owner@'))
      const proxy = await faultyProxy(url, fault)
      try {
        const { passed, results } = await runConformance({ url: proxy.url, logins, only: [only], seed: 7, patienceMs })
        const found = new Set(results.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)))
        assert.deepEqual([passed, violates.filter((id) => !found.has(id))], [false, []], `found ${[...found]}`)
        for (const { requirement, says, request, answer, curl } of results.flatMap(({ findings }) => findings)) {
          assert.ok(says !== '' && request && answer && curl, `the finding of ${requirement} tells all`)
        }
      } finally {
        await proxy.close()
      }
    })
  }
})

for (const [key, started] of servers) {
  test(`without a fault the same checks pass through the proxy${key === '' ? '' : `, with ${key}`}`, async () => {
    const { url, logins } = await started()
    const proxy = await faultyProxy(url, () => {})
    try {
      const only = [...new Set(allFaults.filter((one) => keyOf(one) === key).map((one) => one.only))]
      const { results } = await runConformance({ url: proxy.url, logins, only, seed: 7 })
      const red = results.filter(({ outcome }) => outcome !== 'passed')
      assert.deepEqual(
        red.map(({ check, findings, reasons }) => [check.id, findings, reasons]),
        [],
      )
      assert.equal(results.length, only.length)
    } finally {
      await proxy.close()
    }
  })
}

test('a counterexample is shrunk, and found again by its seed and path', async () => {
  const { url, logins } = await server()
  const proxy = await faultyProxy(url, (answer, { parameters }) => {
    if (!parameters.has('conformance_extra')) return
    answer.status = 500
    answer.body = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }
  })
  try {
    const options = { url: proxy.url, logins, only: ['envelope/hostile/get-own-user'] }
    const first = (await runConformance({ ...options, seed: 7 })).results[0]?.findings[0]
    assert.match(first?.request ?? '', /^GET \/api\/v1\/users\/me\?conformance_extra=[^&]{0,9} as member$/)
    const [, only, seed, path] = /^--only (\S+) --seed (-?\d+) --path ([\d:]+)$/.exec(first?.replay ?? '') ?? []
    assert.deepEqual([only], options.only)
    const again = (await runConformance({ ...options, seed: Number(seed), path: path ?? '' })).results[0]?.findings[0]
    assert.deepEqual([again?.request, again?.requirement], [first?.request, 'CONTRACT-FAILURE'])
  } finally {
    await proxy.close()
  }
})

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
