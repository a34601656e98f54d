import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { checkRoundTrip, manyActions } from './round-trip.ts'

onEachDatabase('export, import, export', (dialect) => {
  test('gives the same organization after every kind of action', async (t) => {
    const [actions = []] = fc.sample(manyActions, { seed: 482, numRuns: 1 })
    await checkRoundTrip(t, dialect, actions)
  })
})
