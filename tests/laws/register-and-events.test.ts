import { test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { fullOr } from '../../conformance/tier-testing.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { hurriedClock } from './ground.ts'
import { checkRegisterAndEvents, EXPECTED } from './register-and-events.ts'
import { Tally } from './tally.ts'

onEachDatabase('register + events = register again', (dialect) => {
  const parley = sharedParley(dialect, { clock: hurriedClock() })

  test('after random actions of all people', async () => {
    const tally = new Tally()
    await checkRegisterAndEvents(await parley(), tally, { seed, runs: fullOr(24, 10), limitMs: 400_000 })
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(EXPECTED, fullOr(16, EXPECTED.length))
  })
})
