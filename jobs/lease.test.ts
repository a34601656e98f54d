import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { Database } from '../db/database.ts'
import { systemClock } from '../domain/clock.ts'
import { JOB_LEASE_SECONDS } from '../domain/limits.ts'
import { type Dialect, emptyDatabase, onEachDatabase, until } from '../server/testing.ts'
import { LeaseLostError, type Turn, withLease } from './lease.ts'
import { type Job, JobRunner } from './runner.ts'

const NAME = 'a-job'

interface Lease {
  readonly holder: string
  readonly held_until: number
}

/** Opens one database as two processes. */
async function twoProcesses(t: TestContext, dialect: Dialect) {
  const { location, remove } = await emptyDatabase(dialect)
  const [a, b] = [await Database.open(location, systemClock), await Database.open(location, systemClock)]
  t.after(async () => {
    await Promise.all([a.close(), b.close()])
    await remove()
  })
  const turnOf = (db: Database, holder: string, work: (turn: Turn) => Promise<void>) =>
    withLease({ db, holder, stopping: new AbortController().signal }, NAME, work)
  return {
    databases: { a, b },
    a: (work: (turn: Turn) => Promise<void>) => turnOf(a, 'process a', work),
    b: (work: (turn: Turn) => Promise<void>) => turnOf(b, 'process b', work),
    lease: async () => {
      const row: Lease = await a.read.session.knex('job_lease').where('name', NAME).first()
      return { holder: row.holder, secondsLeft: Number(row.held_until) - Math.floor(Date.now() / 1000) }
    },
    /** Simulates the passage of time, or a change of the clock. */
    change: (lease: Partial<Lease>) =>
      a.transaction((tx) => tx.session.knex('job_lease').where('name', NAME).update(lease)),
  }
}

type Processes = Awaited<ReturnType<typeof twoProcesses>>

/** True if the other process can run the job. */
async function isFreeForB({ b }: Processes): Promise<boolean> {
  let isFree = false
  await b(async () => {
    isFree = true
  })
  return isFree
}

const write = ({ transaction }: Turn, name: string) =>
  transaction(async (tx) =>
    tx.session.run('insert into job_lease (name, holder, held_until) values (?, ?, 0)', [name, 'x']),
  )

const isWritten = async ({ databases }: Processes, name: string): Promise<boolean> =>
  (await databases.a.read.jobLeases.isFreeFor('', name, JOB_LEASE_SECONDS)) !== undefined

onEachDatabase('a lease', (dialect) => {
  test('belongs to one process during its work, and is returned after success and failure', async (t) => {
    const processes = await twoProcesses(t, dialect)
    await processes.a(async () => assert.equal(await isFreeForB(processes), false))
    assert.equal(await isFreeForB(processes), true)
    await assert.rejects(
      processes.a(() => Promise.reject(new Error('failed'))),
      /failed/,
    )
    assert.equal(await isFreeForB(processes), true)
  })

  test('is taken by exactly one of many simultaneous processes, the first time too', async (t) => {
    const processes = await twoProcesses(t, dialect)
    for (let round = 0; round < 10; round += 1) {
      const ended = Promise.withResolvers<void>()
      let asked = 0
      let working = 0
      const turns = ['a', 'b', 'a', 'b', 'a', 'b'].map((key, index) =>
        withLease(
          { db: processes.databases[key as 'a' | 'b'], holder: `${index}`, stopping: new AbortController().signal },
          NAME,
          () => {
            working += 1
            return ended.promise
          },
        ).then(() => {
          asked += 1
        }),
      )
      await until(() => asked === 5)
      assert.equal(working, 1)
      ended.resolve()
      await Promise.all(turns)
    }
  })

  test('of a killed process expires, and not before', async (t) => {
    const processes = await twoProcesses(t, dialect)
    await processes.a(async () => undefined)
    const left = { holder: 'killed', held_until: Math.floor(Date.now() / 1000) + 30 }
    await processes.change(left)
    assert.equal(await isFreeForB(processes), false)
    await processes.change({ held_until: left.held_until - 31 })
    assert.equal(await isFreeForB(processes), true)
  })

  test('does not outlast a clock that was set back', async (t) => {
    const processes = await twoProcesses(t, dialect)
    await processes.a(async () => undefined)
    await processes.change({ holder: 'killed', held_until: Math.floor(Date.now() / 1000) + 3600 })
    assert.equal(await isFreeForB(processes), true)
  })

  test('that another process took over stops writes of a paused process, and is not returned by it', async (t) => {
    const processes = await twoProcesses(t, dialect)
    const isOver = Promise.withResolvers<void>()
    let turnOfB: Promise<void> | undefined
    const turnOfA = processes.a(async (turn) => {
      await write(turn, 'before')
      await processes.change({ held_until: 1 })
      const isHeld = Promise.withResolvers<void>()
      turnOfB = processes.b(async () => {
        isHeld.resolve()
        await isOver.promise
      })
      await isHeld.promise
      await write(turn, 'after')
    })
    await assert.rejects(turnOfA, LeaseLostError)
    assert.deepEqual([await isWritten(processes, 'before'), await isWritten(processes, 'after')], [true, false])
    assert.equal((await processes.lease()).holder, 'process b')
    assert.ok((await processes.lease()).secondsLeft > 50)
    isOver.resolve()
    await turnOfB
  })

  test('that another process took over and returned is lost all the same: earlier reads may be outdated', async (t) => {
    const processes = await twoProcesses(t, dialect)
    const turn = processes.a(async (turnOfA) => {
      await processes.change({ held_until: 1 })
      assert.equal(await isFreeForB(processes), true)
      await write(turnOfA, 'after')
    })
    await assert.rejects(turn, LeaseLostError)
    assert.equal(await isWritten(processes, 'after'), false)
  })

  test('that expired and nobody took is renewed by the next transaction', async (t) => {
    const processes = await twoProcesses(t, dialect)
    await processes.a(async (turn) => {
      await processes.change({ held_until: 1 })
      await write(turn, 'after')
      assert.ok((await processes.lease()).secondsLeft > 50)
    })
    assert.equal(await isWritten(processes, 'after'), true)
  })

  test('is renewed during work that writes nothing, and the work ends when it is lost', async (t) => {
    const processes = await twoProcesses(t, dialect)
    // Only the timer of the lease, because MariaDB connections have timers of their own.
    const { setInterval } = globalThis
    t.mock.method(globalThis, 'setInterval', (work: () => void, ms: number) =>
      setInterval(work, ms === (JOB_LEASE_SECONDS * 1000) / 3 ? 10 : ms),
    )
    await processes.a(async ({ signal }) => {
      await processes.change({ held_until: 1 })
      await until(async () => (await processes.lease()).secondsLeft > 50)
      assert.equal(signal.aborted, false)
      await processes.change({ holder: 'another' })
      await until(() => signal.aborted)
    })
  })
})

onEachDatabase('two servers on one database', (dialect) => {
  test('do a job in one of them at a time, silently, and each cleans up after itself', async (t) => {
    const { databases } = await twoProcesses(t, dialect)
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    let [working, most, turns, own, asked] = [0, 0, 0, 0, 0]
    const job: Job = {
      name: NAME,
      everyMs: 2,
      isDueAtStart: true,
      isDue: async () => {
        asked += 1
        return asked % 3 > 0
      },
      async run({ transaction }) {
        working += 1
        most = Math.max(most, working)
        await transaction(async () => undefined)
        working -= 1
        turns += 1
      },
    }
    const ofEach = { name: 'own', everyMs: 1000, isDueAtStart: true, runHere: async () => void own++ }
    const runners = Object.values(databases).map((db) => new JobRunner([job, ofEach], db, { clock: systemClock, log }))
    await until(() => turns >= 30)
    await Promise.all(runners.map((runner) => runner.stop()))
    assert.deepEqual([most, own, lines], [1, 2, []])
  })
})
