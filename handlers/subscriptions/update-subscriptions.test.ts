import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /users/me/subscriptions', (dialect) => {
  const parley = sharedParley(dialect)

  test('refuses an empty request and an invalid color; a former subscriber keeps their color', async () => {
    const server = await parley()
    const user = await server.newUser()
    const name = server.unique('Old')
    await user.must('PATCH', '/users/me/subscriptions', { add: [{ name, color: '#123' }] })
    for (const parameters of [
      { delete: [name], add: [{ name: server.unique('Never'), color: 'red' }] },
      { delete: [], add: [] },
      {},
    ]) {
      assert.equal((await user.patch('/users/me/subscriptions', parameters)).status, 400)
    }
    assert.deepEqual((await user.patch('/users/me/subscriptions', { delete: [name] })).body.removed, [name])
    const { unsubscribed } = await user.must('POST', '/register', { fetch_event_types: ['subscription'] })
    assert.equal(unsubscribed[0].color, '#112233')
  })
})
