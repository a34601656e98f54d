import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /users/{user_id} and PATCH /users/{email}', (dialect) => {
  const parley = sharedParley(dialect)
  const change = (actor: ApiClient, user: number | string, parameters: object) =>
    actor.request('PATCH', `/users/${encodeURIComponent(user)}`, { ...parameters })

  test('the missing right is reported whether or not the user exists (DIFF-PRINCIPAL)', async () => {
    const server = await parley()
    for (const id of [server.as('member2').userId, 'nobody@parley.example']) {
      const { body } = await change(server.as('moderator'), id, { full_name: 'No Name' })
      assert.equal(body.code, 'UNAUTHORIZED_PRINCIPAL')
    }
  })

  test('visibility follows the role at the position of each event', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const { id: openId } = await server.newChannel([owner])
    const { id: hiddenId } = await server.newChannel([owner], { invite_only: true })
    const say = (content: string) =>
      owner.must('POST', '/messages', { type: 'channel', to: openId, topic: 't', content })
    const queue = await user.listen(['message', 'stream', 'subscription'], { all_public_streams: true })
    await say('to a member')
    await change(owner, user.userId, { role: 600 })
    await say('to a guest')
    await server.newChannel([owner])
    await change(owner, user.userId, { role: 400 })
    await change(owner, user.userId, { role: 200 })
    await say('to an administrator')
    const events = await queue()
    assert.deepEqual(
      events.flatMap(({ message }) => message?.content ?? []),
      ['to a member', 'to an administrator'],
    )
    const ofChannels = events.filter(({ type, op }) => type === 'stream' && op !== 'update')
    assert.deepEqual(
      ofChannels.map(({ op, streams }) => {
        const ids = streams.map((one: { stream_id: number }) => one.stream_id)
        return [op, ids.includes(openId), ids.includes(hiddenId)]
      }),
      [
        ['delete', true, false],
        ['create', true, false],
        ['create', false, true],
      ],
    )
  })
})
