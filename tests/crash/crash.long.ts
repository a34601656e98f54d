import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { crashFirstStarts } from './crash-start-testing.ts'
import { crashUnderLoad } from './crash-testing.ts'

onEachDatabase('kill -9 (long)', (dialect) => {
  const [underLoad, inFirstStart] = dialect === 'sqlite' ? [200, 60] : [40, 20]

  test(`${underLoad} times under 16 senders: lose nothing acknowledged, and no queue an event`, async (t) => {
    const counts = await crashUnderLoad(t, dialect, seed, underLoad)
    console.log(t.name, counts)
    // Kills before and after a commit.
    assert.ok(counts.lost > 0 && counts.kept + counts.afterCommit > 0, 'all kills were on one side of the commits')
    // Between commit and answer; on MariaDB, whose commits cannot be observed from here, only by chance.
    if (dialect === 'sqlite') assert.ok(counts.kept > 0, 'no kill came between a commit and its answers')
    assert.ok(counts.removed > 0, 'no queue was removed')
    assert.ok(counts.drained >= underLoad * 2, 'too few queues to say much')
  })

  test(`${inFirstStart} times in the first start: make a whole organization the next time`, async (t) => {
    const counts = await crashFirstStarts(t, dialect, seed, inFirstStart)
    console.log(t.name, counts)
    assert.ok(counts.withoutCredentials > 0 && counts.withCredentials > 0, 'the kills missed a part of the start')
  })
})
