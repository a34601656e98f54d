import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../domain/clock.ts'
import { emptyDatabase, onBothDatabases } from '../server/testing.ts'
import { Database } from './database.ts'
import type { Readers } from './repositories.ts'
import { Places, SHORT_SNAPSHOT_MS } from './short-snapshot.ts'
import { letShortSnapshotsLast } from './short-snapshot-testing.ts'

describe('places', () => {
  test('are few, one of each worker, in the order in which they came', async () => {
    const places = new Places(2)
    const order: string[] = []
    const take = (worker: number, name: string) => places.take(worker).then(() => order.push(name))
    const all = [take(1, 'a'), take(1, 'b'), take(1, 'c'), take(2, 'd'), take(3, 'e')]
    await delay(0)
    assert.deepEqual(order, ['a', 'd'])
    places.giveBack(1)
    await delay(0)
    assert.deepEqual(order, ['a', 'd', 'b'])
    places.giveBack(2)
    await delay(0)
    assert.deepEqual(order, ['a', 'd', 'b', 'e'], 'the third of one worker gives way')
    places.giveBack(3)
    await delay(0)
    assert.deepEqual(order, ['a', 'd', 'b', 'e'], 'as long as the second is there')
    places.giveBack(1)
    await Promise.all(all)
    places.giveBack(1)
    await Promise.all([places.take(1), places.take(2)])
  })
})

onBothDatabases('a moment', (dialect) => {
  let db: Database
  let removeDatabase: () => Promise<void>
  before(async () => {
    const { location, remove } = await emptyDatabase(dialect)
    db = await Database.open(location, systemClock)
    removeDatabase = remove
  })
  after(async () => {
    await db.close()
    await removeDatabase()
  })
  const onlyMariaDb = { skip: dialect === 'sqlite' && 'a moment is a turn of the event loop' }

  const write = () => db.transaction(async (tx) => tx.events.append({ type: 'tick' }, { to: 'nobody' }))
  /** Counts the events with both kinds of statements. */
  const count = async ({ session }: Readers): Promise<number[]> => {
    const [row] = await session.all<{ count: number }>('select count(*) as count from event')
    const [other] = await session.knex('event').count({ count: '*' })
    return [Number(row?.count), Number(other?.count)]
  }

  test('is one for all that is read in it', onlyMariaDb, async (t) => {
    letShortSnapshotsLast(t)
    await db.shortSnapshot(1, async (read) => {
      const before = await count(read)
      await write()
      assert.deepEqual(await count(read), before)
      assert.notDeepEqual(await count(db.read), before)
    })
  })

  test('does not outlast its time: what follows sees what is there', async () => {
    await db.shortSnapshot(1, async (read) => {
      const before = await count(read)
      const isUnderWay = read.session.all(
        dialect === 'mariadb' ? `select sleep(${(SHORT_SNAPSHOT_MS + 100) / 1000})` : 'select 1',
      )
      await write()
      await delay(SHORT_SNAPSHOT_MS + 20)
      assert.deepEqual(await count(read), await count(db.read))
      assert.notDeepEqual(await count(read), before)
      await isUnderWay
      assert.deepEqual(await count(read), await count(db.read))
    })
    await write()
    assert.equal(new Set((await Promise.all(Array.from({ length: 20 }, () => count(db.read)))).flat()).size, 1)
  })

  test('of one account keeps nobody else waiting, and many of it take their turns', onlyMariaDb, async () => {
    let open = 0
    let most = 0
    const begun: number[] = []
    const { promise: otherHasBegun, resolve: otherBegins } = Promise.withResolvers<void>()
    const moment = (worker: number, ms: number) =>
      db.shortSnapshot(worker, async (read) => {
        begun.push(worker)
        if (worker === 2) otherBegins()
        if (worker === 1) most = Math.max(most, ++open)
        await count(read)
        if (worker === 1) open -= 1
        await delay(ms)
        await otherHasBegun
      })
    // Takes as long as narrows that look at very many messages.
    const long = Array.from({ length: 12 }, (_, index) => moment(1, index < 3 ? 4 * SHORT_SNAPSHOT_MS : 0))
    await moment(2, 0)
    await Promise.all([...long, ...Array.from({ length: 12 }, () => count(db.read))])
    assert.deepEqual(begun.slice(0, 2).toSorted(), [1, 2])
    assert.equal(most, 1)
  })

  test('that fails leaves its connection as it was', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      await assert.rejects(
        db.shortSnapshot(1, async (read) => {
          await count(read)
          await read.session.all('select no_such_column from event')
        }),
      )
    }
    await write()
    await db.shortSnapshot(1, async (read) => assert.deepEqual(await count(read), await count(db.read)))
  })

  test('is over as well where its connection broke', onlyMariaDb, async () => {
    const kill = async (read: Readers) => {
      const row = await read.session.get<{ id: number }>('select connection_id() as id')
      await db.transaction(async (tx) => tx.session.run(`kill ${row?.id}`))
      await count(read)
    }
    for (let turn = 0; turn < 6; turn += 1) await assert.rejects(db.shortSnapshot(turn, kill))
    await db.shortSnapshot(1, async (read) => assert.deepEqual(await count(read), await count(db.read)))
  })
})
