import { test } from 'node:test'
import { fc, seed } from '../../conformance/seed-testing.ts'
import { fullOr } from '../../conformance/tier-testing.ts'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { Tally } from './tally.ts'
import { anyChanges, anySharing, checkUnseen } from './unseen.ts'

onEachDatabase('people out of sight', (dialect) => {
  const parley = sharedParley(dialect, {}, { can_access_all_users_group: SYSTEM_GROUP_ID['role:members'] })

  test('nothing that a guest is told changes with those whom they do not see (SEC-SIGHT-1)', async () => {
    const tally = new Tally()
    const server = await parley()
    await fc.assert(
      fc.asyncProperty(anySharing, anyChanges, (sharing, changes) => checkUnseen(server, sharing, changes, tally)),
      { seed, numRuns: fullOr(16, 10), interruptAfterTimeLimit: 400_000 },
    )
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['rename', 'status', 'presence', 'restart', 'somebody in sight'], fullOr(2, 0))
  })
})
