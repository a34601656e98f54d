import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

const KNOWING = { notification_settings_null: true, archived_channels: true }

onEachDatabase('DELETE /streams/{stream_id}', (dialect) => {
  const parley = sharedParley(dialect)

  async function made(maker: ApiClient, parameters: Parameters = {}): Promise<{ name: string; id: number }> {
    const name = (await parley()).unique('Archived')
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...parameters })
    return { name, id: (await maker.must('GET', '/get_stream_id', { stream: name })).stream_id }
  }

  test('administrators and who made it may, others not; a second time is refused', async () => {
    const server = await parley()
    const maker = server.as('member')
    for (const actor of [server.as('admin'), maker]) {
      const { id } = await made(maker)
      const refused = await server.as('member2').delete(`/streams/${id}`)
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.msg],
        [400, 'BAD_REQUEST', 'You do not have permission to administer this channel.'],
      )
      assert.deepEqual((await actor.delete(`/streams/${id}`)).body, { result: 'success', msg: '' })
      assert.equal((await actor.delete(`/streams/${id}`)).status, 400)
    }
  })

  test('clients that know archived channels hear of it, for others it vanishes (levels 315, 378)', async () => {
    const server = await parley()
    const [maker, watcher] = [server.as('member'), server.as('member2')]
    const { name, id: stream_id } = await made(maker)
    const register = async (client_capabilities: object) => {
      const { queue_id } = await watcher.must('POST', '/register', {
        event_types: ['stream', 'subscription'],
        fetch_event_types: [],
        client_capabilities,
      })
      return async () =>
        (await watcher.must('GET', '/events', { queue_id, dont_block: true })).events.map(
          ({ id, ...event }: { id: number }) => event,
        )
    }
    const [modern, older] = [await register(KNOWING), await register({ notification_settings_null: true })]
    await maker.must('DELETE', `/streams/${stream_id}`)
    assert.deepEqual(await modern(), [
      { type: 'stream', op: 'update', stream_id, name, property: 'is_archived', value: true },
    ])
    assert.deepEqual(await older(), [
      { type: 'stream', op: 'delete', stream_ids: [stream_id], streams: [{ stream_id }] },
    ])
  })

  test('it can be read and not be sent to or joined; lists have it for whoever asks', async () => {
    const server = await parley()
    const [maker, other] = [await server.newUser(), server.as('member2')]
    const { name, id } = await made(maker)
    await other.must('POST', '/messages', { type: 'channel', to: name, topic: 'last words', content: 'x' })
    await maker.must('DELETE', `/streams/${id}`)
    const sent = await maker.post('/messages', { type: 'channel', to: id, topic: 'x', content: 'x' })
    assert.deepEqual([sent.status, sent.body.msg], [400, `Not authorized to send to channel '${name}'`])
    const joined = await other.post('/users/me/subscriptions', { subscriptions: [{ name }] })
    assert.equal(joined.body.msg, `Unable to access channel (${name}).`)
    // Level 480.
    assert.equal((await other.must('GET', `/streams/${id}`)).stream.is_archived, true)
    assert.deepEqual((await other.must('GET', `/streams/${id}/members`)).subscribers, [maker.userId])
    assert.deepEqual((await other.must('GET', `/users/me/${id}/topics`)).topics[0].name, 'last words')
    const { messages } = await other.must('GET', '/messages', {
      narrow: [['channel', name]],
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
    })
    assert.equal(messages.length, 1)
    const has = (list: { stream_id: number }[]) => list.some((one) => one.stream_id === id)
    assert.equal(has((await other.must('GET', '/streams')).streams), false)
    assert.equal(has((await other.must('GET', '/streams', { exclude_archived: false })).streams), true)
    assert.equal(has((await maker.must('GET', '/users/me/subscriptions')).subscriptions), false)
    for (const [client_capabilities, isListed] of [
      [KNOWING, true],
      [{ notification_settings_null: true }, false],
    ] as const) {
      const fetch_event_types = ['stream', 'subscription', 'message', 'update_message_flags']
      const state = await maker.must('POST', '/register', { fetch_event_types, client_capabilities })
      assert.deepEqual([has(state.streams), has(state.subscriptions)], [isListed, isListed])
      assert.equal(has(state.unread_msgs.streams), false)
    }
    // The user's own settings can still be changed (level 362).
    const change = { property: 'pin_to_top', value: true }
    assert.equal((await maker.request('PATCH', `/users/me/subscriptions/${id}`, change)).status, 200)
    assert.equal((await maker.delete('/users/me/subscriptions', { subscriptions: [name] })).status, 200)
  })
})
