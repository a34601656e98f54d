import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('partial subscribers', (dialect) => {
  // Lower than any value that can be configured, so that few subscribers count as many.
  const parley = sharedParley(dialect, { partialSubscribersFrom: 8 })
  const DAY_SECONDS = 24 * 3600

  test('leave out only those who were inactive for a fortnight', async () => {
    const server = await parley()
    const [reader, idle, seen, writer, listener, hidden, joined, silent] = await Promise.all(
      Array.from({ length: 8 }, () => server.newUser()),
    )
    assert.ok(reader && idle && seen && writer && listener && hidden && joined && silent)
    const others = [idle, seen, writer, listener, hidden, joined, silent]
    const { name: few } = await server.newChannel([reader, ...others.slice(0, 6)])
    const { name: many } = await server.newChannel([reader, ...others])
    await writer.must('POST', '/messages', { type: 'channel', to: many, topic: 'here', content: 'I am.' })
    await listener.must('POST', '/register', { event_types: ['realm'] })
    await hidden.must('PATCH', '/settings', { presence_enabled: false })
    await server.inDatabase(async (session) => {
      const now = Math.floor(Date.now() / 1000)
      const long = now - 20 * DAY_SECONDS
      for (const [index, { userId }] of others.entries()) {
        if (userId !== joined.userId) await session.run('update user set date_joined = ? where id = ?', [long, userId])
        if (userId === silent.userId) continue
        const at = userId === seen.userId ? now - 13 * DAY_SECONDS : long
        const row = [userId, long, at, 1000 + index]
        await session.run('insert into presence (user_id, active_at, connected_at, update_id) values (?, ?, ?, ?)', row)
      }
    })
    const listed = async (path: '/users/me/subscriptions' | '/register', include_subscribers: string) => {
      const method = path === '/register' ? 'POST' : 'GET'
      const { subscriptions } = await reader.must(method, path, { include_subscribers })
      return [few, many].map((name) => {
        const { subscribers, partial_subscribers: part } = subscriptions.find(
          (one: { name: string }) => one.name === name,
        )
        return { ...(subscribers && { subscribers: subscribers.length }), ...(part && { part }) }
      })
    }
    const part = [reader, ...others.slice(1)].map(({ userId }) => userId).toSorted((a, b) => a - b)
    for (const path of ['/users/me/subscriptions', '/register'] as const) {
      assert.deepEqual(await listed(path, 'partial'), [{ subscribers: 7 }, { part }])
      assert.deepEqual(await listed(path, 'true'), [{ subscribers: 7 }, { subscribers: 8 }])
      assert.deepEqual(await listed(path, 'false'), [{}, {}])
    }
  })
})
