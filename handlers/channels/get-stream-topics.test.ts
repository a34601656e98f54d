import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users/me/{stream_id}/topics', (dialect) => {
  const parley = sharedParley(dialect)

  test('where older messages are hidden, what was sent to others meanwhile is no topic of who comes back', async () => {
    const server = await parley()
    const [member, late] = [server.as('member'), await server.newUser()]
    const name = server.unique('Topical')
    const subscriptions = [{ name }]
    const closed = { invite_only: true, history_public_to_subscribers: false }
    await member.must('POST', '/users/me/subscriptions', { subscriptions, ...closed })
    const { stream_id } = await member.must('GET', '/get_stream_id', { stream: name })
    const send = (topic: string) => member.must('POST', '/messages', { type: 'channel', to: name, topic, content: 'x' })
    const join = () => member.must('POST', '/users/me/subscriptions', { subscriptions, principals: [late.userId] })
    await join()
    await send('Seen')
    const { id } = await send('seen')
    await late.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
    await send('missed')
    await send('SEEN')
    await join()
    const { topics } = await late.must('GET', `/users/me/${stream_id}/topics`)
    assert.deepEqual(topics, [{ name: 'seen', max_id: id }])
  })
})
