import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users/me', (dialect) => {
  const parley = sharedParley(dialect)

  test('max_message_id follows what one receives, and nothing else; -1 without any', async () => {
    const server = await parley()
    const [owner, newcomer] = [server.as('owner'), await server.newUser()]
    const newest = async () => (await newcomer.must('GET', '/users/me')).max_message_id
    assert.equal(await newest(), -1)
    await owner.must('POST', '/messages', { type: 'channel', to: 'general', topic: 't', content: 'not received' })
    assert.equal(await newest(), -1)
    const { id } = await owner.must('POST', '/messages', { type: 'direct', to: [newcomer.userId], content: 'received' })
    assert.equal(await newest(), id)
  })
})
