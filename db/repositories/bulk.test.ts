import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { topicKey } from '../../domain/text/text-keys.ts'
import { fileCleanup } from '../../server/process-testing.ts'
import { onBothDatabases, openDatabase } from '../../server/testing.ts'
import type { Database } from '../database.ts'
import type { Tx } from '../repositories.ts'
import { CHANNELS_COUNTED, channelRows, insertRows, userRows } from '../rows-testing.ts'

/** More variables than SQLite accepts in a statement (32,766). */
const TOO_MANY = 40_000
const range = (count: number, from = 1): number[] => Array.from({ length: count }, (_, index) => from + index)

/** Number of statements that `work` sends to MariaDB; undefined on SQLite, which has no server. */
async function statementsOf(tx: Tx, work: () => Promise<unknown>): Promise<number | undefined> {
  const count = async (): Promise<number> => {
    const row = await tx.session.get<{ Value: string }>("show session status like 'Questions'")
    return Number(row?.Value)
  }
  if (tx.session.dialect === 'sqlite') {
    await work()
    return undefined
  }
  const start = await count()
  await work()
  return (await count()) - start - 1
}

function assertAtMost(most: number, statements: number | undefined): void {
  assert(statements === undefined || (statements > 0 && statements <= most), `${statements} statements`)
}

onBothDatabases('many rows at once', (dialect) => {
  const cleanup = fileCleanup()
  let db: Database
  before(async () => {
    db = (await openDatabase(cleanup, dialect)).db
    await db.transaction(insertAccounts)
  })

  const users = range(1200) as UserId[]
  const insertAccounts = (tx: Tx) => insertRows(tx, 'user', userRows(users))

  async function newChannel(tx: Tx): Promise<ChannelId> {
    const row = await tx.session.get<{ id: number | null }>('select max(id) as id from channel')
    const id = (row?.id ?? 0) + 1
    await insertRows(tx, 'channel', channelRows([id]))
    return id as ChannelId
  }

  async function newQueues(count: number): Promise<string[]> {
    const ids = range(count).map(() => randomUUID())
    await db.transaction((tx) =>
      insertRows(
        tx,
        'event_queue',
        ids.map((id) => ({
          id,
          user_id: 1,
          descriptor: '{}',
          start_event_id: 5,
          last_event_id: 5,
          last_seen_at: 10,
          idle_timeout_seconds: 600,
        })),
      ),
    )
    return ids
  }

  test('remove more queues than a statement has variables, and no others', async () => {
    const ids = await newQueues(3)
    const unknown = range(TOO_MANY).map(String)
    await db.transaction((tx) => tx.queues.remove([...unknown, ids[0] as string, ids[2] as string]))
    const left = new Set((await db.read.queues.all()).map((queue) => queue.id))
    assert.deepEqual(
      ids.map((id) => left.has(id)),
      [false, true, false],
    )
  })

  test('store cursors with few statements; other queues stay, removed ones stay away', async () => {
    const [untouched, removed, ...ids] = await newQueues(1202)
    assert(untouched && removed)
    const cursors = [removed, ...ids].map((id, index) => ({ id, lastEventId: 100 + index, lastSeenAt: 1000 + index }))
    await db.transaction(async (tx) => {
      await tx.queues.remove([removed])
      assertAtMost(6, await statementsOf(tx, () => tx.queues.storeCursors(cursors)))
      await tx.queues.storeCursors([])
    })
    const stored = new Map((await db.read.queues.all()).map((queue) => [queue.id, queue]))
    assert.equal(stored.get(untouched)?.lastEventId, 5)
    assert.equal(stored.get(untouched)?.lastSeenAt, 10)
    assert(!stored.has(removed))
    for (const { id, lastEventId, lastSeenAt } of cursors.slice(1)) {
      assert.deepEqual(stored.get(id), {
        id,
        userId: 1,
        descriptor: '{}',
        startEventId: 5,
        lastEventId,
        lastSeenAt,
        idleTimeoutSeconds: 600,
      })
    }
  })

  test('store cursors of more queues than a statement has variables', async () => {
    const [id] = await newQueues(1)
    assert(id)
    const cursors = [...range(TOO_MANY).map(String), id].map((one) => ({ id: one, lastEventId: 7, lastSeenAt: 8 }))
    await db.transaction((tx) => tx.queues.storeCursors(cursors))
    assert.equal((await db.read.queues.all()).find((queue) => queue.id === id)?.lastEventId, 7)
  })

  test('insert flags of 1,200 people with few statements, and only those', async () => {
    const messageId = 77 as MessageId
    const flags = new Map(users.map((id) => [id, id % 2 ? FLAG.mentioned : FLAG.topic_wildcard_mentioned]))
    await db.transaction(async (tx) => {
      assertAtMost(6, await statementsOf(tx, () => tx.readState.insertFlags(messageId, flags)))
      await tx.readState.insertFlags(messageId, new Map())
    })
    const { session } = db.read
    const rows = await session.all<{ user_id: UserId; flags: number }>(
      'select user_id, flags from message_flag where message_id = ? order by user_id',
      [messageId],
    )
    assert.deepEqual(new Map(rows.map((row) => [row.user_id, row.flags])), flags)
  })

  test('make a conversation of 500 people with few statements, once', async () => {
    const members = users.slice(0, 500)
    await db.transaction(async (tx) => {
      assertAtMost(6, await statementsOf(tx, () => tx.directGroups.make([...members, members[0] as UserId])))
      const id = await tx.directGroups.find(members.toReversed())
      assert(id !== undefined)
      assert.deepEqual(await tx.directGroups.members([id]), new Map([[id, members]]))
    })
  })

  test('find the subscribed among many, few and none', async () => {
    await db.transaction(async (tx) => {
      const [channel, other] = [await newChannel(tx), await newChannel(tx)]
      const subscribed = users.filter((id) => id % 3 === 0)
      const asNew = (ids: readonly UserId[]) => ids.map((id) => ({ id, color: '#5b8def' }))
      await tx.subscriptions.subscribe(channel, asNew(subscribed), await tx.events.lockedHead())
      await tx.subscriptions.subscribe(other, asNew(users), await tx.events.lockedHead())
      await tx.subscriptions.unsubscribe(channel, [6 as UserId], await tx.events.lockedHead())
      const present = subscribed.filter((id) => id !== 6)
      const statements = await statementsOf(tx, async () => {
        assert.deepEqual(await tx.subscriptions.subscribedAmong(channel, users), present)
      })
      assertAtMost(6, statements)
      assert.deepEqual(await tx.subscriptions.subscribedAmong(channel, [9, 5, 3, 6] as UserId[]), [3, 9])
      assert.deepEqual(await tx.subscriptions.subscribedAmong(channel, []), [])
    })
  })

  test('are counted in the channel as they begin, end and pause, without deactivated accounts', async () => {
    await db.transaction(async (tx) => {
      const channel = await newChannel(tx)
      const first = channel + 1
      await insertRows(tx, 'channel', channelRows(range(1200, first)))
      const head = await tx.events.lockedHead()
      const color = '#5b8def'
      const counted = async () => {
        const numbers = await tx.session.all('select id, subscriber_count, first_message_id from channel order by id')
        assert.deepEqual(numbers, await tx.session.all(CHANNELS_COUNTED))
        return (await tx.channels.byId(channel))?.subscriberCount
      }
      const rest = async (id: UserId, isActive: boolean) => {
        await tx.session.run('update user set is_active = ? where id = ?', [Number(isActive), id])
        const spans = isActive ? 'beginSpansOf' : 'endSpansOf'
        // Two pages of subscriptions and two of channels.
        assertAtMost(6, await statementsOf(tx, () => tx.subscriptions[spans](id, head)))
      }
      const everybody = users.map((id) => ({ id, color }))
      // Three for each 500 users.
      assertAtMost(9, await statementsOf(tx, () => tx.subscriptions.subscribe(channel, everybody, head)))
      const busy = users[3] as UserId
      for (const id of range(1200, first))
        await tx.subscriptions.subscribe(id as ChannelId, [{ id: busy, color }], head)
      assert.equal(await counted(), 1200)
      await rest(busy, false)
      assert.equal(await counted(), 1199)
      await tx.subscriptions.unsubscribe(channel, users.slice(0, 700), head)
      assert.equal(await counted(), 500, 'who rests and leaves was not counted')
      await rest(busy, true)
      assert.equal(await counted(), 500)
      await tx.subscriptions.subscribe(channel, everybody.slice(0, 4), head)
      assert.equal(await counted(), 504)
    })
  })

  test('answer for more users than a statement has variables', async () => {
    const found = await db.read.users.byIds(range(TOO_MANY) as UserId[])
    assert.deepEqual(
      found.map(({ id }) => id),
      users,
    )
  })

  /** Creates a topic. `senders[i]` sends message `firstId + i` with spelling `i % spellings.length`. */
  async function fillTopic(
    tx: Tx,
    channelId: ChannelId,
    spellings: readonly string[],
    senders: readonly number[],
  ): Promise<void> {
    const row = await tx.session.get<{ id: number | null }>('select max(id) as id from message')
    const firstId = (row?.id ?? 0) + 1
    const topicIds: number[] = []
    for (const [index, name] of spellings.entries()) {
      topicIds.push((await tx.topics.touch(channelId, name, (firstId + index) as MessageId)).id)
    }
    await insertRows(
      tx,
      'message',
      senders.map((sender, index) => ({
        id: firstId + index,
        sender_id: sender,
        channel_id: channelId,
        origin_channel_id: channelId,
        topic_id: topicIds[index % topicIds.length],
        sent_at: 0,
        client: 'x',
        is_me_message: false,
        has_link: false,
        mentions_channel: false,
        content: 'x',
        rendered_content: 'x',
      })),
    )
  }
  const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

  test('participants are those of the newest 5,000 messages, in all spellings together', async () => {
    await db.transaction(async (tx) => {
      for (const spellings of [['logo'], ['logo', 'LOGO', 'Logo']]) {
        const channel = await newChannel(tx)
        const old = range(7)
        await fillTopic(tx, channel, ['elsewhere'], [900])
        await fillTopic(tx, channel, spellings, [...old, ...Array(4998).fill(50), 51, 52])
        assert.deepEqual(sorted(await tx.topics.participants(channel, 'lOgO', 1000)), [50, 51, 52])
        const bare = await newChannel(tx)
        await fillTopic(tx, bare, spellings, [...old, 50, 50, 51])
        assert.deepEqual(sorted(await tx.topics.participants(bare, 'logo', 1000)), [...old, 50, 51])
        assert.equal((await tx.topics.participants(bare, 'logo', 3)).length, 3)
      }
      assert.deepEqual(await tx.topics.participants(await newChannel(tx), 'logo', 1000), [])
    })
  })

  test('participants of a topic with 1,100 spellings are found in the newest of them', async () => {
    await db.transaction(async (tx) => {
      const channel = await newChannel(tx)
      // 11 letters, each in upper or lower case
      const spellings = range(1100).map((number) =>
        [...'parleytopic'].map((letter, bit) => (number & (1 << bit) ? letter.toUpperCase() : letter)).join(''),
      )
      assert.equal(new Set(spellings.map(topicKey)).size, 1)
      await fillTopic(tx, channel, spellings, users.slice(0, 1100))
      const found = sorted(await tx.topics.participants(channel, 'PARLEYTOPIC', 1000))
      assert.deepEqual(found, range(100, 1001))
    })
  })

  test('keys of a bot and alert words share statements', async () => {
    const [user] = users
    if (user === undefined) throw new Error('there are users')
    await db.transaction(async (tx) => {
      const texts = range(1000).map((number) => `text ${number}`)
      for (const value of ['first', 'second']) {
        const stored = new Map(texts.map((key) => [key, value]))
        assertAtMost(5, await statementsOf(tx, () => tx.botStorage.put(user, stored)))
        assert.deepEqual(new Set((await tx.botStorage.of(user)).values()), new Set([value]))
      }
      assertAtMost(5, await statementsOf(tx, () => tx.alertWords.add(user, texts)))
      assert.deepEqual(await tx.alertWords.of(user), texts)
    })
  })
})
