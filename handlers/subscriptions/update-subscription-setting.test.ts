import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('settings of a subscription', (dialect) => {
  const parley = sharedParley(dialect)

  test('a color of three digits is stored with six (SUB-6)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { id: stream_id } = await server.newChannel([user])
    const own = async () => (await user.must('GET', '/users/me/subscriptions')).subscriptions[0]
    await user.must('PATCH', `/users/me/subscriptions/${stream_id}`, { property: 'color', value: '#0ac' })
    assert.equal((await own()).color, '#00aacc')
    for (const [value, msg] of [
      ['#ff000', 'color is not a valid hex color code'],
      [true, 'color is not a string'],
    ] as const) {
      const subscription_data = [{ stream_id, property: 'color', value }]
      const { status, body } = await user.post('/users/me/subscriptions/properties', { subscription_data })
      assert.deepEqual([status, body.msg], [400, msg])
    }
  })

  test('the last of several values counts, and is announced if it is a change', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { id: stream_id } = await server.newChannel([user])
    const heard = await user.listen(['subscription'])
    for (const values of [[true, false], [false, true], [true]]) {
      const subscription_data = values.map((value) => ({ stream_id, property: 'pin_to_top', value }))
      await user.must('POST', '/users/me/subscriptions/properties', { subscription_data })
    }
    assert.deepEqual(
      (await heard()).map(({ property, value }) => [property, value]),
      [['pin_to_top', true]],
    )
  })
})
