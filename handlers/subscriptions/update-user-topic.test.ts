import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('what somebody wants of a topic', (dialect) => {
  const parley = sharedParley(dialect)

  async function inChannel(): Promise<{ user: ApiClient; name: string; stream_id: number }> {
    const server = await parley()
    const user = await server.newUser()
    const name = server.unique('Topics')
    await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    return { user, name, stream_id: (await user.must('GET', '/get_stream_id', { stream: name })).stream_id }
  }
  const wants = async (user: ApiClient, client_capabilities: object = { notification_settings_null: true }) => {
    const parameters = { fetch_event_types: ['user_topic', 'muted_topics'], client_capabilities }
    const { user_topics, muted_topics } = await user.must('POST', '/register', parameters)
    assert.equal(muted_topics, undefined)
    return user_topics.map(({ last_updated, ...topic }: Record<string, unknown>) => {
      assert.ok(Math.abs((last_updated as number) - Date.now() / 1000) < 60)
      return topic
    })
  }
  const set = (user: ApiClient, stream_id: number, topic: string, visibility_policy: unknown) =>
    user.post('/user_topics', { stream_id, topic, visibility_policy })

  test('set, changed and taken back; other spellings are the same topic', async () => {
    const { user, stream_id } = await inChannel()
    const { queue_id } = await user.must('POST', '/register', { event_types: ['user_topic'], fetch_event_types: [] })
    for (const [topic, policy] of [
      ['Lunch', 1],
      ['lunch', 3],
      ['LUNCH', 2],
    ] as const) {
      assert.deepEqual((await set(user, stream_id, topic, policy)).body, { result: 'success', msg: '' })
      assert.deepEqual(await wants(user), [{ stream_id, topic_name: topic, visibility_policy: policy }])
    }
    await set(user, stream_id, 'lunch', 2)
    await set(user, stream_id, 'lunch', 0)
    await set(user, stream_id, 'lunch', 0)
    assert.deepEqual(await wants(user), [])
    const { events } = await user.must('GET', '/events', { queue_id, dont_block: true })
    assert.deepEqual(
      events.map((event: Record<string, unknown>) => [event.stream_id, event.topic_name, event.visibility_policy]),
      [
        [stream_id, 'Lunch', 1],
        [stream_id, 'lunch', 3],
        [stream_id, 'LUNCH', 2],
        [stream_id, 'lunch', 0],
      ],
    )
  })

  test('older clients: only what changes is told, and who names no types hears of both, the older form first', async () => {
    const { user, name, stream_id } = await inChannel()
    const registered = (event_types: string[]) => user.must('POST', '/register', { event_types })
    const [old, modern] = [await registered(['muted_topics']), await registered(['muted_topics', 'user_topic'])]
    const everything = await user.must('POST', '/register', {
      client_capabilities: { notification_settings_null: true },
    })
    for (const [topic, op] of [
      ['Soup', 'add'],
      ['soup', 'add'],
      ['salad', 'remove'],
    ]) {
      await user.must('PATCH', '/users/me/subscriptions/muted_topics', { stream: name, topic, op })
    }
    const { muted_topics } = await registered(['muted_topics'])
    assert.deepEqual([muted_topics.length, muted_topics[0].slice(0, 2)], [1, [name, 'Soup']])
    const told = async ({ queue_id }: { queue_id: string }) =>
      (await user.must('GET', '/events', { queue_id, dont_block: true })).events.map(
        ({ type }: { type: string }) => type,
      )
    assert.deepEqual(await Promise.all([old, modern, everything].map(told)), [
      ['muted_topics'],
      ['user_topic'],
      ['muted_topics', 'user_topic'],
    ])
    assert.deepEqual(await wants(user), [{ stream_id, topic_name: 'Soup', visibility_policy: 1 }])
  })

  test('refuse an unknown policy, and channels that one may not know, like those that are not there', async () => {
    const server = await parley()
    const { user, stream_id } = await inChannel()
    const other = server.as('member2')
    const name = server.unique('Hidden')
    await other.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true })
    const { stream_id: hidden } = await other.must('GET', '/get_stream_id', { stream: name })
    for (const policy of [4, -1]) {
      const { status, body } = await set(user, stream_id, 'x', policy)
      assert.deepEqual([status, body.msg], [400, 'Invalid visibility_policy'])
    }
    for (const [parameters, msg] of [
      [{ stream_id: hidden, topic: 'x', op: 'add' }, 'Invalid channel ID'],
      [{ stream: name, topic: 'x', op: 'add' }, `Invalid channel name '${name}'`],
      [{ topic: 'x', op: 'add' }, "Missing 'stream_id' argument"],
      [{ stream_id, stream: 'x', topic: 'x', op: 'add' }, 'Unsupported parameter combination: stream_id, stream'],
      [{ stream_id, topic: 'x', op: 'mute' }, 'Invalid op'],
      [{ stream_id, topic: 'a\0b', op: 'add' }, 'topic must not contain null bytes'],
    ] as const) {
      const { body } = await user.request('PATCH', '/users/me/subscriptions/muted_topics', parameters)
      assert.equal(body.msg, msg)
    }
  })
})
