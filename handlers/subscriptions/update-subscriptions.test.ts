import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /users/me/subscriptions', (dialect) => {
  const parley = sharedParley(dialect)

  test('follows and leaves at once', async () => {
    const server = await parley()
    const user = await server.newUser()
    const [old, other] = [server.unique('Old'), server.unique('New')]
    const change = (parameters: Record<string, unknown>) => user.request('PATCH', '/users/me/subscriptions', parameters)
    const first = await change({ add: [{ name: old, color: '#123' }] })
    assert.deepEqual(first.body, {
      result: 'success',
      msg: '',
      subscribed: { [user.userId]: [old] },
      already_subscribed: {},
      removed: [],
      not_removed: [],
    })
    const second = await change({ add: [{ name: other, description: 'Fresh.' }], delete: [old, 'general'] })
    assert.deepEqual([second.body.removed, second.body.not_removed], [[old], ['general']])
    const { subscriptions } = await user.must('GET', '/users/me/subscriptions')
    assert.deepEqual(
      subscriptions.map((one: { name: string; description: string }) => [one.name, one.description]),
      [[other, 'Fresh.']],
    )
    const { unsubscribed } = await user.must('POST', '/register', { fetch_event_types: ['subscription'] })
    assert.deepEqual(
      unsubscribed.map((one: { color: string }) => one.color),
      ['#112233'],
    )
  })

  test('nothing happens when a part fails, and asking for nothing is refused', async () => {
    const server = await parley()
    const user = await server.newUser()
    const name = server.unique('Kept')
    await user.must('PATCH', '/users/me/subscriptions', { add: [{ name }] })
    const added = server.unique('Never')
    for (const parameters of [
      { delete: [name, 'no such channel'], add: [{ name: added }] },
      { delete: [name], add: [{ name: 'leads' }] },
      { delete: [name], add: [{ name: added, color: 'red' }] },
      { delete: [], add: [] },
      {},
    ]) {
      assert.equal((await user.request('PATCH', '/users/me/subscriptions', parameters)).status, 400)
    }
    const { subscriptions } = await user.must('GET', '/users/me/subscriptions')
    assert.deepEqual(
      subscriptions.map((one: { name: string }) => one.name),
      [name],
    )
  })
})
