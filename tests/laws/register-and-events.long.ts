import { after, test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase, startParley, type TestServer } from '../../server/testing.ts'
import { hurriedClock } from './ground.ts'
import { checkRegisterAndEvents, EXPECTED } from './register-and-events.ts'
import { Tally } from './tally.ts'

const RUNS = { sqlite: 1000, mariadb: 200 } as const

onEachDatabase('register + events = register again, many times', (dialect) => {
  let present: { readonly index: number; readonly server: TestServer } | undefined
  const serverOf = async (index: number): Promise<TestServer> => {
    if (present?.index === index) return present.server
    await present?.server.stop()
    present = { index, server: await startParley(dialect, { clock: hurriedClock() }) }
    return present.server
  }
  after(() => present?.server.stop())

  test('after random actions of everybody', async () => {
    const tally = new Tally()
    console.log(`seed ${seed}`)
    await checkRegisterAndEvents(serverOf, tally, { seed, runs: RUNS[dialect], runsAServer: 40, limitMs: 3_300_000 })
    console.log(tally.lines().join('\n'))
    tally.check(EXPECTED)
  })
})
