import { test } from 'node:test'
import fc from 'fast-check'
import { thoroughOr } from '../../conformance/thorough-testing.ts'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { Tally } from './tally.ts'
import { anyChanges, anySharing, checkUnseen } from './unseen.ts'

onEachDatabase('people out of sight', (dialect) => {
  const parley = sharedParley(dialect, {}, { can_access_all_users_group: SYSTEM_GROUP_ID['role:members'] })
  const seed = Number(process.env.PARLEY_SEED ?? 482)

  test('nothing that a guest is told changes with those whom they do not see (SEC-SIGHT-1)', async () => {
    const tally = new Tally()
    const server = await parley()
    await fc.assert(
      fc.asyncProperty(anySharing, anyChanges, (sharing, changes) => checkUnseen(server, sharing, changes, tally)),
      { seed, numRuns: thoroughOr(16, 6), interruptAfterTimeLimit: 120_000, markInterruptAsFailure: true },
    )
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['rename', 'status', 'presence', 'restart', 'somebody in sight'])
  })
})
