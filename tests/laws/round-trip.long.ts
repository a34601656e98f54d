import { test } from 'node:test'
import { fc, seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { checkRoundTrip, manyActions } from './round-trip.ts'

onEachDatabase('export, import, export, many times', (dialect) => {
  test('gives the same organization after random actions', async (t) => {
    console.log(`seed ${seed}`)
    for (const [index, actions] of fc.sample(manyActions, { seed, numRuns: 40 }).entries()) {
      await t.test(`run ${index}`, (run) => checkRoundTrip(run, dialect, actions))
    }
  })
})
