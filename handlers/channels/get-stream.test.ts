import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('one channel', (dialect) => {
  const parley = sharedParley(dialect)

  test('an administrator knows of a private channel and does not read it', async () => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const { id } = await server.newChannel([member], { invite_only: true })
    await admin.must('GET', `/streams/${id}`)
    await admin.must('GET', `/streams/${id}/members`)
    const { status, body } = await admin.get(`/users/me/${id}/topics`)
    assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Invalid channel ID'])
  })
})
