import { test } from 'node:test'
import { thoroughOr } from '../../conformance/thorough-testing.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { checkRegisterAndEvents, EXPECTED } from './register-and-events.ts'
import { Tally } from './tally.ts'

onEachDatabase('register + events = register again', (dialect) => {
  const parley = sharedParley(dialect)

  test('after random actions of everybody', async () => {
    const tally = new Tally()
    const seed = Number(process.env.PARLEY_SEED ?? 482)
    await checkRegisterAndEvents(parley, tally, { seed, runs: thoroughOr(24, 10), runsAServer: 24, limitMs: 240_000 })
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(EXPECTED, thoroughOr(8, EXPECTED.length))
  })
})
