import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '../../db/database.ts'
import { UserGroupReader } from '../../db/repositories/user-groups.ts'
import type { Tx } from '../../db/repositories.ts'
import { channelRows, insertRows, plainMessage, userRows } from '../../db/rows-testing.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import type { User } from '../../domain/users/user.ts'
import { turnsDuring } from '../../event-loop/loop-testing.ts'
import { fileCleanup } from '../../server/process-testing.ts'
import { openDatabase } from '../../server/testing.ts'
import { subscribeUsers } from './subscribe-users.ts'
import { unsubscribeUsers } from './unsubscribe-users.ts'

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

// SQLite only: on MariaDB every statement lets others run.
describe('many subscriptions at once (SEC-LOOP-4)', () => {
  const cleanup = fileCleanup()
  let db: Database
  let users: User[]
  let channels: Channel[]
  before(async () => {
    db = (await openDatabase(cleanup, 'sqlite')).db
    await db.transaction(async (tx) => {
      await insertRows(tx, 'user', userRows(range(1200)))
      await insertRows(tx, 'channel', channelRows(range(100)))
    })
    users = await db.read.users.all()
    channels = await db.read.channels.all()
  })

  for (const [name, inChannels, ofUsers] of [
    ['one of somebody in each of 100 channels', 100, 1],
    ['those of 1,200 people in one', 1, 1200],
  ] as const) {
    test(`${name}: others have turns while they begin and end`, async (t) => {
      const [where, who] = [channels.slice(0, inChannels), users.slice(0, ofUsers)]
      const begun = await turnsDuring(t, () => db.transaction((tx) => subscribeUsers(tx, where, who)))
      assert.equal((await db.read.subscriptions.subscribers(where.map(({ id }) => id))).size, inChannels)
      const ended = await turnsDuring(t, () => db.transaction((tx) => unsubscribeUsers(tx, where, who)))
      assert.equal((await db.read.subscriptions.subscribers(where.map(({ id }) => id))).size, 0)
      assert.ok(begun >= inChannels + ofUsers && ended >= inChannels + ofUsers, `${begun}, ${ended} turns`)
    })
  }

  test('accounts in a role group are looked up once for 100 private channels that are open to it', async (t) => {
    await db.transaction(async (tx) => {
      const groups = JSON.stringify({ can_subscribe_group: SYSTEM_GROUP_ID['role:members'] })
      await tx.session.run('update channel set invite_only = 1, group_settings = ?', [groups])
    })
    const closed = await db.read.channels.all()
    const lookUp = t.mock.method(UserGroupReader.prototype, 'memberIds')
    for (const change of [subscribeUsers, unsubscribeUsers]) {
      await db.transaction<unknown>((tx) => change(tx, closed, users.slice(0, 2)))
      assert.equal(lookUp.mock.callCount(), 1)
      lookUp.mock.resetCalls()
    }
  })

  test('periods without messages are forgotten once the log has forgotten their events', async () => {
    const user = users.at(-1) as User
    const channel = channels.at(-1) as Channel
    const period = (work: (tx: Tx) => Promise<unknown> = async () => {}): Promise<number> =>
      db.transaction(async (tx) => {
        await subscribeUsers(tx, [channel], [user])
        await work(tx)
        await unsubscribeUsers(tx, [channel], [user])
        return (await tx.subscriptions.spans([user.id])).filter(({ channelId }) => channelId === channel.id).length
      })
    const before = await period()
    assert.equal(await period(), before + 1)
    const withMessage = await period(async (tx) => {
      const id = await tx.events.nextMessageId()
      const { id: topicId } = await tx.topics.touch(channel.id, 'x', id)
      await tx.messages.insert(plainMessage(id, { kind: 'channel', channelId: channel.id, topicId }))
    })
    assert.equal(withMessage, before + 2)
    await db.transaction((tx) => tx.events.deleteOldest(Number.MAX_SAFE_INTEGER, 1_000_000, 2 ** 40))
    assert.equal(await period(), before + 3)
    assert.equal(await period(), 3, 'the one with a message, the one whose events the log has, and the new one')
  })
})
