import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc, seed } from '../conformance/seed-testing.ts'
import { systemClock } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import { holdLoop } from '../event-loop/loop-testing.ts'
import { emptyDatabase, onBothDatabases, openDatabase } from '../server/testing.ts'
import { Database } from './database.ts'
import type { Tx } from './repositories.ts'

let count = 0

/** Inserts a row with a unique mark into a table without other constraints. */
async function insertRow(tx: Tx, mark: string): Promise<void> {
  await tx.session.run('insert into direct_group (members_hash) values (?)', [mark])
}

async function rows(db: Database): Promise<string[]> {
  const found = await db.read.session.all<{ mark: string }>('select members_hash as mark from direct_group order by id')
  return found.map((row) => row.mark)
}

/** Appends an event with a number in its audience. */
function append(tx: Tx, number: number, width = 1): void {
  tx.events.append({ type: 'tick' }, { to: 'users', userIds: [number as UserId] }, width)
}

async function numbers(db: Database): Promise<number[]> {
  const events = await db.read.events.after(0, 1_000_000)
  return events.flatMap(({ audience }) => (audience.to === 'users' ? audience.userIds : []))
}

interface Body {
  readonly steps: readonly ('row' | 'event' | 'wide event' | 'message id' | 'head')[]
  readonly end: 'return' | 'throw' | 'insert twice'
}

const anyBody: fc.Arbitrary<Body> = fc.record({
  steps: fc.array(fc.constantFrom('row', 'event', 'wide event', 'message id', 'head'), { maxLength: 4 }),
  end: fc.constantFrom('return', 'return', 'throw', 'insert twice'),
})

class Refusal extends Error {
  override readonly name = 'Refusal'
}

onBothDatabases('write queue', (dialect) => {
  test('SEC-LOOP-2: others have turns between long bodies that share a commit', async (t) => {
    const { db } = await openDatabase(t, dialect)
    let turn = 0
    let isOver = false
    const count = (): void => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const inTurns = await Promise.all(
      ['a', 'b', 'c'].map((mark) =>
        db.transaction(async (tx) => {
          await insertRow(tx, mark)
          holdLoop()
          return turn
        }),
      ),
    )
    isOver = true
    assert.equal(new Set(inTurns).size, 3, `${inTurns}`)
    assert.deepEqual(await rows(db), ['a', 'b', 'c'])
  })

  test('keep successful bodies and nothing of failed ones, in order', async (t) => {
    const { db, location } = await openDatabase(t, dialect)
    const other = await Database.open(location, systemClock)
    try {
      let heard: number[] = []
      db.onCommitted((events) => {
        heard.push(...events.map((event) => event.id as number))
      })
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(anyBody, { maxLength: 70, size: 'max' }), { maxLength: 3 }),
          async (bursts) => {
            heard = []
            const before = await db.read.events.head()
            const expectedRows = await rows(db)
            const expectedNumbers = await numbers(db)
            const messageIds: number[] = []
            for (const burst of bursts) {
              const outcomes = burst.map(async (body) => {
                count += 1
                const mark = `row ${count}`
                const number = count
                const taken: number[] = []
                const run = db.transaction(async (tx) => {
                  taken.length = 0
                  for (const step of body.steps) {
                    if (step === 'row') await insertRow(tx, `${mark} ${taken.length}`).catch(() => undefined)
                    else if (step === 'message id') taken.push(await tx.events.nextMessageId())
                    else if (step === 'head') await tx.events.lockedHead()
                    else append(tx, number, step === 'event' ? 1 : 3)
                  }
                  await insertRow(tx, mark)
                  if (body.end === 'insert twice') await insertRow(tx, mark)
                  if (body.end === 'throw') throw new Refusal()
                })
                const settled = await run.then(
                  () => 'return',
                  (err: unknown) => (err instanceof Refusal ? 'throw' : 'insert twice'),
                )
                assert.equal(settled, body.end)
                // A settled body is committed or rolled back: another connection sees all of it, or nothing.
                const seen = await other.snapshot(async ({ session }) =>
                  session.get('select 1 from direct_group where members_hash = ?', [mark]),
                )
                assert.equal(seen !== undefined, body.end === 'return')
                return { body, mark, number, taken }
              })
              for (const { body, mark, number, taken } of await Promise.all(outcomes)) {
                if (body.end !== 'return') continue
                expectedRows.push(mark)
                messageIds.push(...taken)
                for (const step of body.steps) if (step.endsWith('event')) expectedNumbers.push(number)
              }
            }
            const made = (await rows(db)).filter((mark) => /^row \d+$/.test(mark))
            assert.deepEqual(
              made,
              expectedRows.filter((mark) => /^row \d+$/.test(mark)),
            )
            assert.deepEqual(await numbers(db), expectedNumbers)
            const head = await db.read.events.head()
            const given = Array.from({ length: head.messageId - before.messageId }, (_, i) => before.messageId + 1 + i)
            assert.deepEqual(messageIds, given, 'message ids without a gap')
            const events = await db.read.events.after(before.eventId, 1_000_000)
            let position = before.eventId as number
            for (const { id, width } of events) {
              assert.equal(id, position + 1, 'event ids without a gap')
              position += width
            }
            assert.equal(head.eventId, position)
            assert.deepEqual(
              heard,
              events.map((event) => event.id),
              'listeners hear every event once, in order',
            )
          },
        ),
        { seed, numRuns: 60 },
      )
    } finally {
      await other.close()
    }
  })

  test('leave nothing of a batch in which all fail', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const failing = [1, 2].map((number) =>
      db.transaction(async (tx) => {
        await tx.events.nextMessageId()
        append(tx, number)
        await insertRow(tx, `failed ${number}`)
        throw new Refusal()
      }),
    )
    for (const { status } of await Promise.allSettled(failing)) assert.equal(status, 'rejected')
    assert.deepEqual(await rows(db), [])
    assert.deepEqual(await db.read.events.head(), { messageId: 0, eventId: 0 })
    assert.equal(await db.transaction((tx) => tx.events.nextMessageId()), 1)
  })

  test('run bodies again after a deadlock, and keep each once', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const tries = { lucky: 0, unlucky: 0 }
    await Promise.all([
      db.transaction(async (tx) => {
        tries.lucky += 1
        append(tx, 1)
        await insertRow(tx, 'lucky')
      }),
      db.transaction(async (tx) => {
        tries.unlucky += 1
        append(tx, 2)
        await insertRow(tx, 'unlucky')
        if (tries.unlucky === 1) throw Object.assign(new Error('made up'), { code: 'ER_LOCK_DEADLOCK' })
      }),
    ])
    assert.deepEqual(tries, { lucky: 2, unlucky: 2 })
    assert.deepEqual(await rows(db), ['lucky', 'unlucky'])
    assert.deepEqual(await numbers(db), [1, 2])
  })

  test('two processes take turns, and each receives the events of both', {
    skip: dialect === 'sqlite' && 'SQLite has one writer',
  }, async (t) => {
    const { db, location } = await openDatabase(t, dialect)
    const other = await Database.open(location, systemClock)
    t.after(() => other.close())
    const processes = [db, other].map((database) => {
      const heard: number[] = []
      database.onCommitted((events) =>
        heard.push(...events.flatMap(({ audience }) => (audience.to === 'users' ? audience.userIds : []))),
      )
      return { database, heard }
    })
    const writes = Array.from({ length: 300 }, async (_, index) => {
      const of = processes[index % 2]
      await of?.database.transaction(async (tx) => {
        // Everything in the log was announced here before this body began.
        const { eventId } = await tx.events.head()
        assert.equal(of.heard.length, eventId)
        append(tx, index)
      })
    })
    await Promise.all(writes)
    for (const { database, heard } of processes) {
      // The other one may have written last.
      await database.transaction(async () => undefined)
      assert.deepEqual(heard, await numbers(db))
    }
    assert.equal(new Set(processes[0]?.heard).size, 300)
  })

  if (dialect === 'mariadb') {
    test('bodies that failed are undone without savepoints, which Galera may commit all the same', async (t) => {
      const { db } = await openDatabase(t, dialect)
      const bodies = ['a', 'b', 'c'].map((mark) =>
        db.transaction(async (tx) => {
          if (mark === 'a') throw new Refusal()
          await insertRow(tx, mark)
          if (mark === 'b') throw new Refusal()
        }),
      )
      const outcomes = await Promise.allSettled(bodies)
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'rejected', 'fulfilled'],
      )
      assert.deepEqual(await rows(db), ['c'])
      const used = await db.transaction(async (tx) =>
        tx.session.get<{ Value: string }>("show session status like 'Com_savepoint'"),
      )
      assert.equal(used?.Value, '0')
    })
  }

  test('log more events in one body than a statement has placeholders', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const many = Array.from({ length: 12_000 }, (_, index) => index)
    await db.transaction(async (tx) => {
      for (const number of many) append(tx, number)
    })
    assert.deepEqual(await numbers(db), many)
  })

  test('finish queued bodies before closing, and accept no more', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    const db = await Database.open(location, systemClock)
    const queued = Array.from({ length: 100 }, (_, index) => db.transaction((tx) => insertRow(tx, `queued ${index}`)))
    await db.close()
    await Promise.all(queued)
    await assert.rejects(db.transaction((tx) => insertRow(tx, 'late')))
    const later = await Database.open(location, systemClock)
    assert.equal((await rows(later)).length, 100)
    await later.close()
    await remove()
  })
})
