import { after, test } from 'node:test'
import { onEachDatabase, startParley, type TestServer } from '../../server/testing.ts'
import { checkAccess } from './access.ts'
import { Tally } from './tally.ts'

const RUNS = { sqlite: 1000, mariadb: 200 } as const
/** Then a fresh server takes over, because answers grow with what earlier runs left behind. */
const RUNS_A_SERVER = 20

onEachDatabase('access, many times', (dialect) => {
  let server: TestServer | undefined
  after(() => server?.stop())

  test('show to each what they may see and find it in every narrow', async () => {
    const tally = new Tally()
    const first = Number(process.env.PARLEY_SEED ?? Date.now() % 2 ** 30)
    for (let seed = first; seed < first + RUNS[dialect] / RUNS_A_SERVER; seed += 1) {
      console.log(`seed ${seed}`)
      await server?.stop()
      server = await startParley(dialect)
      await checkAccess(server, tally, {
        seed,
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
