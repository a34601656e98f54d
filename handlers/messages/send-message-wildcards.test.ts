import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('wildcard mentions in POST /messages', (dialect) => {
  const parley = sharedParley(dialect)

  test('wildcards past 15 need permission (LIMIT-21, ERR-20, ERR-21, ERR-HTTP-7)', async () => {
    const server = await parley()
    const [member, owner] = [server.as('member'), server.as('owner')]
    const staff = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'].map((key) => server.as(key))
    const more: ApiClient[] = []
    for (let index = 0; index < 9; index++) more.push(await server.newUser())
    const [last, ...fitting] = [...more, ...staff].reverse()
    assert.ok(last)
    const to = server.unique('Loud')
    const subscribe = (users: readonly ApiClient[]) =>
      owner.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: to }],
        principals: users.map((user) => user.userId),
      })
    await subscribe(fitting)
    const shout = (content: string, by = member) =>
      by.post('/messages', { type: 'channel', to, topic: 'loud', content })
    assert.equal((await shout('@**all** at 15')).status, 200)
    await subscribe([last])
    for (const wildcard of ['@**all**', '@**everyone**', '@**channel**', '@**stream**']) {
      const { status, body } = await shout(wildcard)
      assert.equal(status, 400)
      assert.equal(body.code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
      assert.equal(body.msg, 'You do not have permission to use channel wildcard mentions in this channel.')
    }
    assert.equal((await shout('`@**all**`')).status, 200, 'code mentions nobody')
    assert.equal((await shout('@**all**', owner)).status, 200, 'administrators may')
    assert.equal((await shout('@**topic**')).status, 200, 'few participants')
    for (const user of [last, ...fitting])
      await user.must('POST', '/messages', { type: 'channel', to, topic: 'loud', content: 'here' })
    const { body } = await shout('@**topic**')
    assert.equal(body.code, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
    assert.equal(body.msg, 'You do not have permission to use topic wildcard mentions in this topic.')
  })
})
