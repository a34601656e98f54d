import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Database } from '../db/database.ts'
import { systemClock } from '../domain/clock.ts'
import { startProcess, temporaryFolder } from '../server/process-testing.ts'
import { emptyDatabase, onEachDatabase } from '../server/testing.ts'
import { type LoopBlock, LoopWatch } from './loop-watch.ts'
import { doNamed } from './named-work.ts'

/** A watch with a clock that only `spend` moves, and its reports. */
async function watching(work: (spend: (ms: number) => void) => Promise<unknown>): Promise<Partial<LoopBlock>[]> {
  let now = 0
  const blocks: LoopBlock[] = []
  const watch = new LoopWatch(
    20,
    (block) => blocks.push(block),
    () => now,
  )
  watch.start()
  try {
    await setImmediate()
    await work((ms) => {
      now += ms
    })
    // A turn is reported when the next one begins.
    await setImmediate()
    await setImmediate()
  } finally {
    watch.stop()
  }
  return blocks.map(({ name, ms, turnMs }) => ({ name, ms, turnMs }))
}

test('what follows without a pause is one hold, under the name that it was begun with', async () => {
  const blocks = await watching((spend) =>
    doNamed({ name: 'long' }, async () => {
      await setImmediate()
      for (let count = 0; count < 5; count++) {
        spend(10)
        await undefined
      }
    }),
  )
  assert.deepEqual(blocks, [{ name: 'long', ms: 50, turnMs: 50 }])
})

test('pieces with pauses between them are no hold', async () => {
  const blocks = await watching((spend) =>
    doNamed({ name: 'in pieces' }, async () => {
      for (let count = 0; count < 5; count++) {
        await setImmediate()
        spend(19)
      }
    }),
  )
  assert.deepEqual(blocks, [])
})

test('work that takes turns is told apart, the longest part names the hold', async () => {
  const blocks = await watching(async (spend) => {
    const request = { name: 'not known yet' }
    const one = doNamed(request, async () => {
      await undefined
      request.name = 'known'
      for (let count = 0; count < 3; count++) {
        spend(10)
        await undefined
      }
    })
    const other = doNamed({ name: 'other work' }, async () => {
      for (let count = 0; count < 3; count++) {
        await undefined
        spend(5)
      }
    })
    await Promise.all([one, other])
  })
  assert.deepEqual(blocks, [{ name: 'known', ms: 30, turnMs: 45 }])
})

test('what a caller does after the named work is its own', async () => {
  const blocks = await watching((spend) =>
    doNamed({ name: 'caller' }, async () => {
      await setImmediate()
      doNamed({ name: 'called' }, () => spend(10))
      spend(30)
    }),
  )
  assert.deepEqual(blocks, [{ name: 'caller', ms: 30, turnMs: 40 }])
})

onEachDatabase('the watch of the event loop', (dialect) => {
  test('a write counts for whoever asked for it, whoever else shares the commit', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    const db = await Database.open(location, systemClock)
    try {
      const blocks = await watching(async (spend) => {
        const write = (name: string, ms: number) =>
          doNamed({ name }, () =>
            db.transaction(async (tx) => {
              await tx.organizations.secretCheck()
              spend(ms)
            }),
          )
        await Promise.all([write('short write', 1), write('long write', 30), write('another short write', 1)])
      })
      assert.deepEqual(
        blocks.map(({ name, ms }) => ({ name, ms })),
        [{ name: 'long write', ms: 30 }],
      )
    } finally {
      await db.close()
      await remove()
    }
  })
})

test('a server logs the operation that held its event loop', async (t) => {
  const dataFolder = await temporaryFolder(t)
  const environment = { PARLEY_WATCH_EVENT_LOOP_MS: '0.001', PARLEY_LOG_LEVEL: 'warn' }
  const server = await startProcess(t, { dataFolder, environment })
  assert.equal((await server.as('owner').get('/users/me')).status, 200)
  const { stderr } = await server.kill('SIGTERM')
  const lines = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  assert.equal(lines.find(({ work }) => work === 'get-own-user')?.msg, 'event loop held')
})
