import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thoroughOr } from '../../conformance/thorough-testing.ts'
import { onEachDatabaseDaily } from '../../server/testing.ts'
import { crashFirstStarts } from './crash-start-testing.ts'
import { crashSeed, crashUnderLoad } from './crash-testing.ts'

// The long run, 200 kills and more, is crash.long.ts.
onEachDatabaseDaily('kill -9', (dialect) => {
  const [underLoad, inFirstStart] =
    dialect === 'sqlite' ? [thoroughOr(14, 6), thoroughOr(6, 3)] : [thoroughOr(3, 2), thoroughOr(2, 1)]

  test(`${underLoad} times under 16 senders: lose nothing acknowledged, and no queue an event`, async (t) => {
    const counts = await crashUnderLoad(t, dialect, crashSeed(t.name), underLoad)
    console.log(t.name, counts)
    assert.ok(counts.lost + counts.kept > 0, 'no kill came while a message was on its way')
    assert.ok(counts.drained >= underLoad, 'too few queues to say anything')
  })

  test(`${inFirstStart} times in the first start: make a whole organization the next time`, async (t) => {
    const counts = await crashFirstStarts(t, dialect, crashSeed(t.name), inFirstStart)
    console.log(t.name, counts)
    assert.ok(inFirstStart < 2 || counts.answering < counts.kills, 'every kill came too late')
  })
})
