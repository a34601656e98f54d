import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allChecks } from './checks/all.ts'
import { deployedLevel, deployedServer } from './faults/deployed-testing.ts'
import type { Check } from './kernel/check.ts'
import { runConformance } from './run.ts'
import { sharedServer } from './server-pool-testing.ts'
import { type Fault, faultySender, type SlowFault } from './testing.ts'
import { minimumRoleAt, parameterAt, readContract } from './wire/contract.ts'

const server = sharedServer({ PARLEY_HEARTBEAT_SECONDS: '5' })

/** A run against the stand-in for a deployed server, with `fault` in addition. */
async function runOnDeployed(
  only: readonly string[] | { readonly checks: readonly Check[] },
  fault: Fault = () => {},
  level = deployedLevel,
) {
  const { url, logins } = await server()
  const deployed = deployedServer(url, level)
  const chosen = 'checks' in only ? only : { only }
  const both: SlowFault = async (answer, request) => {
    await deployed.fault(answer, request)
    fault(answer, request)
  }
  return runConformance({ url, sender: faultySender(url, both, deployed.before), logins, ...chosen, seed: 7 })
}

async function passesAt(level: number) {
  const report = await runOnDeployed({ checks: allChecks(readContract()) }, undefined, level)
  const failed = report.results.filter(({ outcome }) => outcome === 'failed')
  assert.deepEqual(
    failed.map(({ check, findings }) => [check.id, findings]),
    [],
  )
  assert.deepEqual([report.passed, report.isParley, report.featureLevel], [true, false, level])
  return report
}

test('a deployed server of an older level passes, except for known deviations', async () => {
  const { results } = await passesAt(deployedLevel)
  const deviations = results.flatMap((result) => result.deviations.map(({ requirement }) => requirement))
  const notes = ['NOTE-20', 'NOTE-34', 'NOTE-39', 'NOTE-40', 'NOTE-41', 'NOTE-42', 'NOTE-43']
  const met = [...new Set(deviations)].filter((id) => id !== 'CONTRACT-CODE').toSorted()
  assert.deepEqual(met, notes)
  const oneForAll = results.filter(({ deviations: all }) => all.some(({ requirement }) => requirement === 'NOTE-43'))
  const areas = oneForAll.map(({ check }) => check.area)
  assert.deepEqual([...new Set(areas)].slice(0, 2), ['Authentication'])
  assert.ok(areas.length <= 2, 'one code for all credentials is no deviation of each operation')
})

test('a deployed server of level 420 passes', async () => {
  await passesAt(420)
})

describe('a note allows deployed servers only what it says', () => {
  const cases: readonly [note: string, only: string, violates: string, fault: Fault][] = [
    [
      'a list of ignored parameters that lacks one',
      'envelope/ignored/update-presence',
      'ENV-11',
      ({ body, status }, { parameters }) => {
        if (status === 200 && parameters.has('conformance_first')) {
          body.ignored_parameters_unsupported = ['conformance_first']
        }
      },
    ],
    [
      'the ID of another event queue',
      'events/poll',
      'EVENTS-8',
      ({ body }) => {
        if (body?.events !== undefined) body.queue_id = 'another'
      },
    ],
    [
      'no ID of the newest presence, although all presence was asked for',
      'presence/report',
      'PRESENCE-18',
      ({ body }, { path }) => {
        if (path === '/users/me/presence') delete body.presence_last_update_id
      },
    ],
    [
      'a wrong key that opens',
      'authentication/basic',
      'AUTH-18',
      (answer) => {
        if (answer.body?.code === 'UNAUTHORIZED') answer.body.code = 'BAD_REQUEST'
      },
    ],
    [
      'administration by members',
      'users/update',
      'USER-UPD-1',
      (answer, { method, path }) => {
        if (method !== 'PATCH' || !/^\/users\/\d+$/.test(path) || answer.body?.code !== 'UNAUTHORIZED_PRINCIPAL') return
        answer.status = 200
        answer.body = { result: 'success', msg: '' }
      },
    ],
  ]
  for (const [name, only, violates, fault] of cases) {
    test(name, async () => {
      const { results } = await runOnDeployed([only], fault)
      const found = results.flatMap(({ findings }) => findings.map(({ requirement }) => requirement))
      assert.ok(found.includes(violates), `found ${found}`)
    })
  }
})

test('roles and values are those of the server’s level', () => {
  const { operations } = readContract()
  const archive = operations.get('archive-stream') ?? assert.fail()
  assert.deepEqual([minimumRoleAt(archive, 324), minimumRoleAt(archive, 325)], ['administrator', 'guest'])
  const list = operations.get('get-subscriptions') ?? assert.fail()
  const [parameter = assert.fail()] = list.parameters.filter(({ name }) => name === 'include_subscribers')
  const [before, since] = [parameterAt(parameter, 411).schema, parameterAt(parameter, 412).schema]
  assert.deepEqual([before.type, before.enum, since.type], ['boolean', undefined, 'string'])
  assert.deepEqual(since.enum, ['true', 'false', 'partial'])
})
