import { after, test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase, startParley, type TestServer } from '../../server/testing.ts'
import { checkAccess } from './access.ts'
import { Tally } from './tally.ts'

const RUNS = { sqlite: 1000, mariadb: 200 } as const
/** Then a new server takes over, because answers grow with the data of earlier runs. */
const RUNS_A_SERVER = 20

onEachDatabase('access, many times', (dialect) => {
  let server: TestServer | undefined
  after(() => server?.stop())

  test('show to each what they may see and find it in every narrow', async () => {
    const tally = new Tally()
    for (let count = 0; count < RUNS[dialect] / RUNS_A_SERVER; count += 1) {
      await server?.stop()
      server = await startParley(dialect)
      await checkAccess(server, tally, {
        seed: seed + count,
        runs: RUNS_A_SERVER,
        narrowsARun: 60,
        actionsARun: 40,
        limitMs: 600_000,
      })
    }
    console.log(tally.lines().join('\n'))
    tally.check([
      ...['readable message', 'hidden message', 'hidden channel', 'narrow with messages'],
      ...['move', 'resolve', 'edit', 'delete', 'sight lost by a move', 'sight won by a move'],
    ])
  })
})
