import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../testing.ts'
import { checkAccess } from './access.ts'
import { Tally } from './tally.ts'

onEachDatabase('access', (dialect) => {
  const parley = sharedParley(dialect)
  const seed = Number(process.env.PARLEY_SEED ?? 482)

  test('show to each what they may see and nothing else', async () => {
    const tally = new Tally()
    await checkAccess(await parley(), tally, { seed, runs: 8, narrowsARun: 5, actionsARun: 30, limitMs: 120_000 })
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['readable message', 'hidden message', 'hidden channel'])
  })

  test('find in a narrow what a look at every message finds', async () => {
    const tally = new Tally()
    await checkAccess(await parley(), tally, { seed, runs: 2, narrowsARun: 300, actionsARun: 80, limitMs: 120_000 })
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['narrow with messages', 'narrow without messages'])
  })
})
