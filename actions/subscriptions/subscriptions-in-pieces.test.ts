import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '../../db/database.ts'
import { channelRows, insertRows, userRows } from '../../db/rows-testing.ts'
import type { Channel } from '../../domain/channels/channel.ts'
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
})
