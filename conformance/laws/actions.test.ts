import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Deployment } from '../deployment/deployment.ts'
import { fc } from '../seed-testing.ts'
import { sharedServer } from '../server-pool-testing.ts'
import { readContract } from '../wire/contract.ts'
import { Http } from '../wire/http.ts'
import { Pace } from '../wire/pace.ts'
import { anyOf, kindNames, succeeds } from './actions.ts'
import { anywhere } from './ground.ts'
import { World } from './world.ts'

const server = sharedServer()

test('random actions succeed now and then', async () => {
  const { url, logins } = await server()
  const deployment = await Deployment.open(new Http(url, new Pace()), readContract(), logins)
  const members = await Promise.all([0, 1, 2].map(async () => (await deployment.newUser()) ?? assert.fail()))
  const world = await World.begin(deployment, members)
  const sample = (kind: string, count: number) => fc.sample(anyOf([kind], anywhere), { seed: 7, numRuns: count })
  const refused: string[] = []
  for (const kind of kindNames) {
    for (const action of [...sample('subscribe', 6), ...sample('send', 8)]) await succeeds(world, action)
    let isAccepted = false
    for (const action of sample(kind, 8)) isAccepted = (await succeeds(world, action)) || isAccepted
    if (!isAccepted) refused.push(kind)
  }
  assert.deepEqual(refused, [])
})
