import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users/me', (dialect) => {
  const parley = sharedParley(dialect)

  test('the account as GET /users has it, and the newest message received', async () => {
    const server = await parley()
    for (const key of ['owner', 'guest', 'bot']) {
      const client = server.as(key)
      const { result, msg, max_message_id, ...own } = await client.must('GET', '/users/me')
      assert.deepEqual([result, msg], ['success', ''])
      const { members } = await client.must('GET', '/users', {
        user_ids: [client.userId],
        client_gravatar: false,
        include_custom_profile_fields: true,
      })
      assert.deepEqual(own, members[0])
      assert.ok(Number.isInteger(max_message_id))
      assert.deepEqual(['bot_type' in own, 'bot_owner_id' in own], [key === 'bot', key === 'bot'])
    }
  })

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
