import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogEvent } from '../domain/events/log-event.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { ROLE } from '../domain/users/roles.ts'
import { onBothDatabases, openDatabase } from '../server/testing.ts'
import type { Database } from './database.ts'
import type { Tx } from './repositories.ts'
import { channelRows, insertRows, userRows } from './rows-testing.ts'

const [CHANNEL, OTHER, USER] = [1 as ChannelId, 2 as ChannelId, 11 as UserId]

onBothDatabases('what a write finds where it begins', (dialect) => {
  async function filled(t: {
    after(end: () => Promise<void>): void
  }): Promise<{ db: Database; inMemory(): Promise<void> }> {
    const { db } = await openDatabase(t, dialect)
    await db.transaction(async (tx) => {
      await insertRows(tx, 'user', userRows([USER]))
      await insertRows(tx, 'channel', channelRows([CHANNEL, OTHER]))
    })
    const inMemory = async (): Promise<void> => {
      await Promise.all([db.read.shared.users(), db.read.shared.channels()])
    }
    return { db, inMemory }
  }

  const nameOf = (tx: Tx, wanted: ChannelId | string) => tx.start.channel(wanted).then((channel) => channel?.name)
  const write = async (tx: Tx, id: ChannelId, name: string) =>
    tx.session.run('update channel set name = ?, name_key = ? where id = ?', [name, name.toLowerCase(), id])
  const rename = async (tx: Tx, id: ChannelId, name: string): Promise<void> => {
    await write(tx, id, name)
    const event = { type: 'stream', op: 'update', property: 'name', stream_id: id, name: '', value: name }
    tx.events.append(event as unknown as LogEvent, { to: 'everyone' })
  }

  test('is read from memory if it is there, and from the table if not', async (t) => {
    const { db, inMemory } = await filled(t)
    const names = (): Promise<(string | undefined)[]> =>
      db.transaction(async (tx) => [await nameOf(tx, CHANNEL), await nameOf(tx, 'Unheard'), await nameOf(tx, OTHER)])
    const [, , other] = await names()
    await inMemory()
    // A change without an event shows whether a read uses memory or the table.
    await db.transaction((tx) => write(tx, CHANNEL, 'Unheard'))
    const [kept, byName] = await names()
    assert.notEqual(kept, 'Unheard')
    assert.equal(byName, 'Unheard')
    await db.transaction((tx) => rename(tx, CHANNEL, 'Heard'))
    assert.deepEqual(await names(), ['Heard', undefined, other])
    await inMemory()
    await db.transaction((tx) => write(tx, CHANNEL, 'Unheard'))
    assert.deepEqual(await names(), ['Heard', 'Unheard', other])
  })

  test('includes the changes of earlier bodies in the batch', async (t) => {
    const { db, inMemory } = await filled(t)
    await inMemory()
    const seen = await Promise.all([
      db.transaction(async (tx) => {
        await rename(tx, CHANNEL, 'One')
        await tx.session.run('update user set role = ? where id = ?', [ROLE.guest, USER])
        tx.events.append(
          { type: 'realm_user', op: 'update', person: { user_id: USER, role: ROLE.guest } },
          { to: 'everyone' },
        )
      }),
      db.transaction(async (tx) => [await nameOf(tx, CHANNEL), (await tx.start.user(USER))?.role]),
      db
        .transaction(async (tx) => {
          await rename(tx, OTHER, 'Two')
          throw new Error('not this one')
        })
        .catch(() => undefined),
      db.transaction(async (tx) => [
        await nameOf(tx, 'one'),
        await nameOf(tx, 'two'),
        (await nameOf(tx, OTHER)) === 'Two',
      ]),
    ])
    assert.deepEqual(seen, [undefined, ['One', ROLE.guest], undefined, ['One', undefined, false]])
  })

  test('finds a channel by its present name', async (t) => {
    const { db, inMemory } = await filled(t)
    await db.transaction((tx) => rename(tx, CHANNEL, 'First'))
    await inMemory()
    await db.transaction(async (tx) => {
      await rename(tx, CHANNEL, 'Later')
      await rename(tx, OTHER, 'First')
    })
    const found = await db.transaction((tx) => tx.start.channel('FIRST'))
    assert.equal(found?.id, OTHER)
  })
})
