import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users/{user_id} and GET /users/{email}', (dialect) => {
  const parley = sharedParley(dialect)

  test('nobody of that name', async () => {
    const server = await parley()
    for (const name of [
      '99999',
      '99999999999999999999',
      '0',
      '-1',
      'x',
      'nobody@parley.example',
      'user1@elsewhere.example',
    ]) {
      const { status, body } = await server.as('guest').get(`/users/${name}`)
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'No such user'], name)
    }
  })
})
