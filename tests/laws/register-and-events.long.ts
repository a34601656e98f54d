import { after, test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase, startParley, type TestServer } from '../../server/testing.ts'
import { hurriedClock } from './ground.ts'
import { checkRegisterAndEvents, EXPECTED } from './register-and-events.ts'
import { Tally } from './tally.ts'

const RUNS = { sqlite: 1000, mariadb: 200 } as const
/** Then a new server takes over: an organization of more than 100 people has no presence events (LIMIT-24). */
const RUNS_A_SERVER = 20

onEachDatabase('register + events = register again, many times', (dialect) => {
  let server: TestServer | undefined
  after(() => server?.stop())

  test('after random actions of all people', async () => {
    const tally = new Tally()
    console.log(`seed ${seed}`)
    for (let count = 0; count < RUNS[dialect] / RUNS_A_SERVER; count += 1) {
      await server?.stop()
      server = await startParley(dialect, { clock: hurriedClock() })
      await checkRegisterAndEvents(server, tally, { seed: seed + count, runs: RUNS_A_SERVER, limitMs: 600_000 })
    }
    console.log(tally.lines().join('\n'))
    tally.check(EXPECTED)
  })
})
