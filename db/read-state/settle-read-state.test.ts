import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { BLOCK_SIZE } from '../../domain/messages/read-state.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { fileCleanup } from '../../server/process-testing.ts'
import { onBothDatabases, openDatabase, sharedParley } from '../../server/testing.ts'
import { plainMessage, plainUser } from '../rows-testing.ts'
import type { Session } from '../session.ts'
import { MessagesOfPlaces } from './messages-of-places.ts'
import { settleReadState } from './settle-read-state.ts'
import { checkUnreadLaw } from './unread-law-testing.ts'
import { UnreadQuery } from './unread-query.ts'
import { UserReadState } from './user-read-state.ts'

onBothDatabases('unread by blocks', (dialect) => {
  const parley = sharedParley(dialect)
  const cleanup = fileCleanup()

  test('is unread by a list', (t) => checkUnreadLaw(t, dialect, seed, 15))

  /** The IDs in everything that is read are added to `seen`. */
  function watched(session: Session, seen: unknown[]): Session {
    const all = async (...call: Parameters<Session['all']>) => {
      const rows = await session.all<{ id?: number }>(...call)
      for (const { id } of rows) seen.push(id)
      return rows
    }
    return { ...session, dialect, get: session.get.bind(session), all: all as Session['all'] }
  }

  test('is searched in one channel only, and once for all who leave it', async () => {
    const server = await parley()
    const author = await server.newUser()
    const readers = [await server.newUser(), await server.newUser()]
    const send = async (to: string) => {
      for (const one of [author, ...readers]) {
        await one.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
      }
      return (await author.must('POST', '/messages', { type: 'channel', to, topic: 'x', content: 'x' })).id
    }
    const here = server.unique('Here')
    const elsewhere = await send(server.unique('Elsewhere'))
    const id = await send(here)
    const { stream_id: channelId } = await author.must('GET', '/get_stream_id', { stream: here })
    await server.inDatabase(async (session) => {
      const seen: unknown[] = []
      const messages = new MessagesOfPlaces(watched(session, seen), 'channel_id', new Pauses())
      for (const reader of readers) {
        const found: unknown[] = []
        const query = new UnreadQuery(watched(session, found), { id: reader.userId as UserId, role: ROLE.member })
        assert.deepEqual(await query.inPlaces([channelId], messages), [id])
        assert.ok(!found.includes(elsewhere))
      }
      assert.deepEqual(seen, [id])
    })
  })

  test('starts at the oldest message that exists', async () => {
    const { db } = await openDatabase(cleanup, dialect)
    const recent = 3 * BLOCK_SIZE
    const reader = await db.transaction(async (tx) => {
      const user = await tx.users.insert(plainUser('reader'))
      assert.ok(user)
      const place = { kind: 'direct' as const, groupId: await tx.directGroups.make([user.id]) }
      for (const id of [10, recent]) await tx.messages.insert(plainMessage(id as MessageId, place))
      return user.id
    })
    const settled = () =>
      db.transaction(async (tx) => {
        while (await settleReadState(tx, reader));
        const { readThrough, blocks } = await UserReadState.load(tx.session, reader)
        return [readThrough, [...blocks.keys()]]
      })
    const before = await settled()
    await db.transaction((tx) => tx.messages.remove([10 as MessageId]))
    assert.deepEqual(
      [before, await settled()],
      [
        [0, [0, 1, 2]],
        [recent - 1, []],
      ],
    )
  })

  test('is searched from the newest messages on, and only as far as needed', async () => {
    const server = await parley()
    const reader = await server.newUser()
    const to = server.unique('Long')
    await reader.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
    const form = { type: 'channel', to, topic: 'x', content: 'x', read_by_sender: false }
    const { id: old } = await reader.must('POST', '/messages', form)
    const recent = old + 50 * BLOCK_SIZE
    await server.inDatabase(async (session) => {
      const row = await session.knex('message').where({ id: old }).first()
      await session.knex('message').insert([recent - 1, recent].map((id) => ({ ...row, id })))
      const seen: unknown[] = []
      const query = new UnreadQuery(watched(session, seen), { id: reader.userId as UserId, role: ROLE.member })
      const newest = async (limit: number) => (await query.newest(limit)).ids
      assert.deepEqual([await newest(1), seen.includes(old)], [[recent], false])
      assert.deepEqual([await newest(2), seen.includes(old)], [[recent - 1, recent], true])
      assert.deepEqual(await newest(3), [old, recent - 1, recent])
    })
  })
})
