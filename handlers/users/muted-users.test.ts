import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('muted users', (dialect) => {
  const parley = sharedParley(dialect)
  const path = (id: number | string) => `/users/me/muted_users/${id}`

  test('muted and unmuted, with the whole list for oneself alone', async () => {
    const server = await parley()
    const [user, muted, bot] = [await server.newUser(), await server.newUser(), server.as('bot')]
    const register = (one: typeof user) => one.must('POST', '/register', { event_types: ['muted_users'] })
    const [own, others] = [await register(user), await register(muted)]
    assert.deepEqual(own.muted_users, [])
    const before = Math.floor(Date.now() / 1000)
    await user.must('POST', path(muted.userId))
    await user.must('POST', path(bot.userId))
    await user.must('DELETE', path(muted.userId))
    const hear = async (one: typeof user, { queue_id, last_event_id }: typeof own) =>
      (await one.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events
    const lists = (await hear(user, own)).map(
      (event: { muted_users: { id: number; timestamp: number }[] }) => event.muted_users,
    )
    assert.deepEqual(
      lists.map((list: { id: number }[]) => list.map((one) => one.id)),
      [[muted.userId], [bot.userId, muted.userId], [bot.userId]],
    )
    for (const { timestamp } of lists.flat()) assert.ok(timestamp >= before && timestamp <= Date.now() / 1000)
    assert.deepEqual(await hear(muted, others), [])
    assert.deepEqual((await register(user)).muted_users, lists.at(-1))
  })

  test('refuse oneself, nobody, and what is done already', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const refusal = async (method: 'post' | 'delete', id: number | string) => (await user[method](path(id))).body.msg
    assert.equal(await refusal('post', user.userId), 'Cannot mute self')
    for (const method of ['post', 'delete'] as const) {
      for (const id of [99_999, '99999999999999999999']) assert.equal(await refusal(method, id), 'No such user')
    }
    assert.equal(await refusal('delete', other.userId), 'User is not muted')
    await user.must('POST', path(other.userId))
    assert.equal(await refusal('post', other.userId), 'User already muted')
  })
})
