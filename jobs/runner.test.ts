import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mock, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import type { Database } from '../db/database.ts'
import { systemClock } from '../domain/clock.ts'
import { embeddedConfig } from '../server/config.ts'
import { createParley } from '../server/create-parley.ts'
import { temporaryFolder } from '../server/process-testing.ts'
import { type Dialect, onEachDatabase, openDatabase } from '../server/testing.ts'
import { countChannelActivity } from './channel-activity.ts'
import { settleReadStates } from './read-state.ts'
import { type Job, JobRunner } from './runner.ts'
import { indexOldMessages } from './search.ts'

const CHANNELS = 100

/**
 * The demo organization, with more channels than one transaction counts, and with messages that are not indexed yet.
 */
async function organizationWithWork(t: TestContext, dialect: Dialect) {
  const { db, location } = await openDatabase(t, dialect)
  const dataFolder = await temporaryFolder(t)
  await (await createParley(embeddedConfig({ dataFolder, database: location, logLevel: 'error' }))).stop()
  await db.transaction(async ({ session: { knex } }) => {
    const { id: _, ...like } = await knex('channel').first()
    const names = Array.from({ length: CHANNELS }, (_, index) => `channel ${index}`)
    await knex('channel').insert(names.map((name) => ({ ...like, name, name_key: name })))
    await knex('channel').update({ activity_counted_at: 0 })
    await knex('search_backlog').update({ up_to_message_id: 1000 })
  })
  const jobs = [countChannelActivity(db), settleReadStates(db), indexOldMessages(1)]
  return { db, jobs }
}

onEachDatabase('jobs with much work', (dialect) => {
  test('end after the present piece when the server stops, and continue later', async (t) => {
    const { db, jobs } = await organizationWithWork(t, dialect)
    const transaction = mock.method(db, 'transaction')
    const transactionsOf = async (work: () => Promise<void>): Promise<number> => {
      transaction.mock.resetCalls()
      await work()
      return transaction.mock.callCount()
    }
    for (const job of jobs) {
      const atStart: Job = { ...job, isDueAtStart: true }
      const stopped = () => new JobRunner([atStart], db, { clock: systemClock, log: pino({ level: 'silent' }) }).stop()
      assert.equal(
        await transactionsOf(stopped),
        3,
        `${job.name}: its lease is taken, one piece done, the lease given back`,
      )
      const turn = { transaction: db.transaction.bind(db), signal: new AbortController().signal }
      assert.ok((await transactionsOf(() => job.run(turn))) > 1, job.name)
    }
    const now = systemClock.now() / 1000
    assert.deepEqual(await db.read.channels.countedOutside(now - 60, now + 60, 1), [])
  })
})

test('a failed job is not tried again before its timer, however much is due', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let turns = 0
  const job = {
    name: 'failing',
    everyMs: 60_000,
    isDueAtStart: true,
    wakesUp: { next: async () => 0, after: 'message' },
    async runHere() {
      turns += 1
      throw new Error('the disk is full')
    },
  } as const
  const db = { transaction: assert.fail, onCommitted: () => () => undefined } as unknown as Database
  const runner = new JobRunner([job], db, { clock: systemClock, log: pino({ level: 'silent' }) })
  const pass = async (ms: number): Promise<number> => {
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    return turns
  }
  assert.deepEqual([await pass(30_000), await pass(29_000)], [1, 1])
  assert.equal(await pass(2000), 2)
  await runner.stop()
})

onEachDatabase('an interrupted job', (dialect) => {
  test('has not failed if the server stops', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const begun = Promise.withResolvers<void>()
    const job: Job = {
      name: 'long',
      everyMs: 60_000,
      isDueAtStart: true,
      async run({ signal }) {
        begun.resolve()
        await once(signal, 'abort')
        signal.throwIfAborted()
      },
    }
    const runner = new JobRunner([job], db, { clock: systemClock, log })
    await begun.promise
    await runner.stop()
    assert.deepEqual(lines, [])
  })
})
