import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { crashFirstStarts } from './crash-start-testing.ts'
import { crashUnderLoad } from './crash-testing.ts'

// The long run, with 200 kills and more, is crash.long.ts.
onEachDatabase('kill -9', (dialect) => {
  const [underLoad, inFirstStart] = dialect === 'sqlite' ? [14, 6] : [3, 2]

  test(`${underLoad} times under 16 senders: lose nothing acknowledged, and no queue an event`, async (t) => {
    const counts = await crashUnderLoad(t, dialect, seed, underLoad)
    console.log(t.name, counts)
    assert.ok(counts.lost + counts.kept > 0, 'no kill came while a message was on its way')
    assert.ok(counts.drained >= underLoad, 'too few queues to say anything')
  })

  test(`${inFirstStart} times in the first start: make a whole organization the next time`, async (t) => {
    const counts = await crashFirstStarts(t, dialect, seed, inFirstStart)
    console.log(t.name, counts)
    assert.ok(inFirstStart < 2 || counts.answering < counts.kills, 'every kill came too late')
  })
})
