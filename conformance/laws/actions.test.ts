import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Deployment } from '../deployment/deployment.ts'
import { CheckContext } from '../kernel/check-context.ts'
import { readRequirements } from '../requirements/requirements.ts'
import { sharedServer } from '../testing.ts'
import { readContract } from '../wire/contract.ts'
import { Http } from '../wire/http.ts'
import { Pace } from '../wire/pace.ts'
import { anyOf, kindNames, perform } from './actions.ts'
import { World } from './world.ts'

const server = sharedServer()

test('everything that people do in a law is accepted now and then', async () => {
  const { url, logins } = await server()
  const deployment = await Deployment.open(new Http(url, new Pace()), readContract(), logins)
  const random = { seed: 1, path: undefined, numRuns: 1, shrinkMs: 1 }
  const t = new CheckContext({ id: 'laws/state', requirements: [] }, deployment, readRequirements(), random, {
    current: undefined,
  })
  const world = await World.begin(t, [await t.user(), await t.user(), await t.user()])
  const sample = (kind: string, count: number) => fc.sample(anyOf([kind]), { seed: 7, numRuns: count })
  const refused: string[] = []
  for (const kind of kindNames) {
    const made = world.channels.length + world.newcomers.length
    for (const action of [...sample('subscribe', 6), ...sample('send', 8)]) await perform(world, action)
    let isAccepted = false
    for (const action of sample(kind, 8)) {
      const exchange = await perform(world, action)
      assert.ok((exchange?.status ?? 0) < 500, `${JSON.stringify(action)} answered ${exchange?.text}`)
      isAccepted ||= exchange?.status === 200 || world.channels.length + world.newcomers.length > made
    }
    if (!isAccepted) refused.push(kind)
  }
  assert.deepEqual(refused, [])
})
