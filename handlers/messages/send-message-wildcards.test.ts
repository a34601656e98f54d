import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('wildcard mentions in POST /messages', (dialect) => {
  const parley = sharedParley(dialect)

  test('wildcards of more than 15 need permission, whatever they are called', async () => {
    const server = await parley()
    const [member, owner] = [server.as('member'), server.as('owner')]
    const staff = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'].map((key) => server.as(key))
    const more: ApiClient[] = []
    for (let index = 0; index < 9; index++) more.push(await server.newUser())
    const crowd = [...more, ...staff]
    const to = server.unique('Loud')
    const principals = crowd.map((user) => user.userId)
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }], principals })
    const shout = (content: string, by = member) =>
      by.post('/messages', { type: 'channel', to, topic: 'loud', content })
    for (const wildcard of ['@**all**', '@**everyone**', '@**channel**', '@**stream**']) {
      const { status, body } = await shout(wildcard)
      assert.equal(status, 400)
      assert.equal(body.code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
      assert.equal(body.msg, 'You do not have permission to use channel wildcard mentions in this channel.')
    }
    assert.equal((await shout('`@**all**`')).status, 200, 'code mentions nobody')
    assert.equal((await shout('@**all**', owner)).status, 200, 'administrators may')
    assert.equal((await shout('@**topic**')).status, 200, 'few participants')
    for (const user of crowd) {
      await user.must('POST', '/messages', { type: 'channel', to, topic: 'loud', content: 'here' })
    }
    const { body } = await shout('@**topic**')
    assert.equal(body.code, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
    assert.equal(body.msg, 'You do not have permission to use topic wildcard mentions in this topic.')
  })
})
