import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users/{user_id} and GET /users/{email}', (dialect) => {
  const parley = sharedParley(dialect)

  test('the account as GET /users has it, by id, address and stand-in', async () => {
    const server = await parley()
    const [guest, bot] = [server.as('guest'), server.as('bot')]
    for (const other of [server.as('owner'), bot, guest]) {
      const options = { client_gravatar: false, include_custom_profile_fields: true }
      const { members } = await guest.must('GET', '/users', { user_ids: [other.userId], ...options })
      const host = new URL(server.url).hostname
      for (const name of [other.userId, other.email, other.email.toUpperCase(), `user${other.userId}@${host}`]) {
        const { user } = await guest.must('GET', `/users/${encodeURIComponent(name)}`, options)
        assert.deepEqual(user, members[0])
      }
    }
    const { user } = await guest.must('GET', `/users/${bot.userId}`)
    assert.deepEqual([user.avatar_url, 'profile_data' in user], [null, false])
    assert.deepEqual([user.bot_type, user.bot_owner_id], [1, server.as('owner').userId])
    const person = (await guest.must('GET', `/users/${guest.userId}`)).user
    assert.deepEqual(['bot_type' in person, 'bot_owner_id' in person], [false, false], 'of bots only')
  })

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
