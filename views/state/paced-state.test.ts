import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import type { Database } from '../../db/database.ts'
import { PAGE, ROWS_A_PIECE } from '../../db/pieces.ts'
import type { Tx } from '../../db/repositories.ts'
import { channelRows, insertRows, userRows } from '../../db/rows-testing.ts'
import type { ChannelId, DirectGroupId, UserId } from '../../domain/ids.ts'
import type { EncodedJson } from '../../domain/json-pieces.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { CountedPauses } from '../../event-loop/counted-pauses-testing.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Schemas } from '../../generated/operations.ts'
import { presentActor } from '../../permissions/actor.ts'
import { fileCleanup } from '../../server/process-testing.ts'
import { onEachDatabase, openDatabase } from '../../server/testing.ts'
import { channelLists } from './channels.ts'

const MANY = 2 * PAGE + 7
const ids = Array.from({ length: MANY }, (_, index) => index + 1)
const READER = 1 as UserId
/** Everybody is subscribed to it. */
const CROWD = 1 as ChannelId

/** Number of people, channels, subscriptions, presences, conversations and flags; the reader has all of them. */
async function insertMuch(tx: Tx): Promise<void> {
  await insertRows(tx, 'user', userRows(ids))
  await insertRows(tx, 'channel', channelRows(ids))
  const personal = { is_active: true, color: '#000000', is_muted: false, pin_to_top: false }
  await insertRows(tx, 'subscription', [
    ...ids.map((id) => ({ user_id: READER, channel_id: id, ...personal })),
    ...ids.slice(1).map((id) => ({ user_id: id, channel_id: CROWD, ...personal })),
  ])
  await tx.session.run('update channel set subscriber_count = case id when ? then ? else 1 end', [CROWD, MANY])
  await insertRows(
    tx,
    'presence',
    ids.map((id) => ({ user_id: id, active_at: 1, connected_at: 1, update_id: id })),
  )
  await insertRows(
    tx,
    'direct_group',
    ids.map((id) => ({ id, members_hash: String(id) })),
  )
  await insertRows(
    tx,
    'direct_group_member',
    ids.map((id) => ({ user_id: READER, group_id: id })),
  )
  await insertRows(
    tx,
    'message_flag',
    ids.map((id) => ({ user_id: READER, message_id: id, flags: FLAG.starred })),
  )
}

function subscriptionsIn(json: EncodedJson): Schemas['Subscription'][] {
  return json.toJSON() as Schemas['Subscription'][]
}

onEachDatabase('long lists (SEC-LOOP-3)', (dialect) => {
  const cleanup = fileCleanup()
  let db: Database
  before(async () => {
    db = (await openDatabase(cleanup, dialect)).db
    await db.transaction(insertMuch)
  })

  /** Returns the maximum number of rows that a statement of `work` returned, and how often others could run. */
  async function watched<T>(t: TestContext, work: (pauses: Pauses) => Promise<T>) {
    const { session } = db.read
    const all = session.all.bind(session)
    let mostRows = 0
    const watch = t.mock.method(session, 'all', async (sql: string, params: readonly never[]) => {
      const rows = await all<object>(sql, params)
      mostRows = Math.max(mostRows, rows.length)
      return rows
    })
    const pauses = new CountedPauses()
    const result = await work(pauses)
    watch.mock.restore()
    return { result, mostRows, count: pauses.count }
  }

  const lists: Readonly<Record<string, (pauses: Pauses) => Promise<Iterable<unknown>>>> = {
    people: (pauses) => db.read.users.all(pauses),
    'people by id': (pauses) => db.read.users.byIds(ids as UserId[], pauses),
    channels: (pauses) => db.read.channels.all(pauses),
    'channels by id': (pauses) => db.read.channels.byIds(ids as ChannelId[], pauses),
    subscriptions: (pauses) => db.read.subscriptions.ofUser(READER, pauses),
    'subscribers of each': (pauses) => db.read.subscriptions.subscribers(ids as ChannelId[], pauses),
    presences: (pauses) => db.read.presence.since(0, pauses),
    'new presences': (pauses) => db.read.presence.after(0, pauses),
    conversations: (pauses) => db.read.directGroups.members(ids as DirectGroupId[], pauses),
    stars: (pauses) => db.read.readState.flagged(READER, ['starred'], pauses),
  }
  for (const [name, read] of Object.entries(lists)) {
    test(`${name}: all of them, none twice, and others are let in`, async (t) => {
      const { result, mostRows, count } = await watched(t, read)
      assert.equal([...result].length, MANY)
      assert.ok(mostRows <= ROWS_A_PIECE + 1, `${mostRows} rows of one statement`)
      assert.ok(count >= Math.floor(MANY / PAGE), `${count} pauses`)
    })
  }

  test('equal one list: by ascending ID, without duplicates', async () => {
    const twice = [...ids, ...ids].toReversed()
    assert.deepEqual(
      (await db.read.channels.byIds(twice as ChannelId[])).map(({ id }) => id),
      ids,
    )
    const subscribers = await db.read.subscriptions.subscribers(twice as ChannelId[])
    assert.deepEqual([...subscribers.keys()], ids)
    assert.deepEqual(subscribers.get(CROWD), ids)
    assert.deepEqual(subscribers.get(2 as ChannelId), [READER])
  })

  test('lists of channels do not count subscribers: the numbers are in their rows', async (t) => {
    const { session } = db.read
    const asked: string[] = []
    const all = session.all.bind(session)
    t.mock.method(session, 'all', (sql: string, params: readonly never[]) => {
      asked.push(sql)
      return all(sql, params)
    })
    const request = { includeSubscribers: 'false', includeArchived: false, pauses: new Pauses() } as const
    const made = await channelLists(db.read, await presentActor(db.read, READER), request)
    const subscriptions = subscriptionsIn(await made.subscriptions())
    assert.deepEqual(
      subscriptions.slice(0, 2).map((one) => one.subscriber_count),
      [MANY, 1],
    )
    assert.deepEqual(
      asked.filter((sql) => /count\(|min\(|from message/.test(sql)),
      [],
    )
    assert(asked.length > 0)
  })

  test('lists of channels are made with pauses, and only on request', async () => {
    const pauses = new CountedPauses()
    const actor = await presentActor(db.read, READER)
    const request = { includeSubscribers: 'true', includeArchived: false, pauses } as const
    const made = await channelLists(db.read, actor, request)
    const read = pauses.count
    const lists = [await made.subscriptions(), await made.unsubscribed(), await made.neverSubscribed()]
    assert.deepEqual(
      lists.map((one) => subscriptionsIn(one).length),
      [MANY, 0, 0],
    )
    assert.ok(pauses.count - read >= Math.floor(MANY / 100), `${pauses.count - read} pauses`)
  })
})
