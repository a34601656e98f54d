import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users/{user_id}/status', (dialect) => {
  const parley = sharedParley(dialect)

  test('unknown users, bots, which say nothing, and nothing to change are refused', async () => {
    const server = await parley()
    const admin = server.as('admin')
    for (const id of [999_999, 0, '9'.repeat(30), server.as('bot').userId]) {
      const { status, body } = await admin.post(`/users/${id}/status`, { status_text: 'x' })
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'No such user'], String(id))
    }
    const nothing = await admin.post(`/users/${server.as('member').userId}/status`, {})
    assert.equal(nothing.body.msg, 'Client did not pass any new values.')
    const unknown = await admin.get('/users/999999/status')
    assert.deepEqual([unknown.status, unknown.body.msg], [400, 'No such user'])
    assert.deepEqual((await admin.must('GET', `/users/${server.as('bot').userId}/status`)).status, {})
  })
})
