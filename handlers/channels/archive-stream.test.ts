import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('DELETE /streams/{stream_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('who made a channel archives it, once; nobody joins it, and who followed it may change their settings and leave', async () => {
    const server = await parley()
    const [maker, other] = [await server.newUser(), server.as('member2')]
    const name = server.unique('Archived')
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const id = (await maker.must('GET', '/get_stream_id', { stream: name })).stream_id
    await other.must('POST', '/messages', { type: 'channel', to: name, topic: 'last words', content: 'x' })
    assert.deepEqual((await maker.delete(`/streams/${id}`)).body, { result: 'success', msg: '' })
    assert.equal((await maker.delete(`/streams/${id}`)).status, 400)
    const sent = await maker.post('/messages', { type: 'channel', to: id, topic: 'x', content: 'x' })
    assert.deepEqual([sent.status, sent.body.msg], [400, `Not authorized to send to channel '${name}'`])
    const joined = await other.post('/users/me/subscriptions', { subscriptions: [{ name }] })
    assert.equal(joined.body.msg, `Unable to access channel (${name}).`)
    // Level 480.
    assert.equal((await other.must('GET', `/streams/${id}`)).stream.is_archived, true)
    assert.deepEqual((await other.must('GET', `/streams/${id}/members`)).subscribers, [maker.userId])
    const fetch_event_types = ['message', 'update_message_flags']
    const { unread_msgs: unread } = await maker.must('POST', '/register', { fetch_event_types })
    assert.ok(!unread.streams.some((one: { stream_id: number }) => one.stream_id === id))
    // The user's own settings can still be changed (level 362).
    const change = { property: 'pin_to_top', value: true }
    assert.equal((await maker.request('PATCH', `/users/me/subscriptions/${id}`, change)).status, 200)
    assert.equal((await maker.delete('/users/me/subscriptions', { subscriptions: [name] })).status, 200)
  })
})
