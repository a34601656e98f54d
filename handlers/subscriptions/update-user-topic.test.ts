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

  test('the empty topic has its display name for whoever does not know it (EMPTY-9)', async () => {
    const { user, stream_id } = await inChannel()
    const registered = (client_capabilities: object) =>
      user.must('POST', '/register', { event_types: ['user_topic'], fetch_event_types: [], client_capabilities })
    const queues = [
      await registered({ notification_settings_null: true, empty_topic_name: true }),
      await registered({ notification_settings_null: true }),
    ]
    await set(user, stream_id, 'general chat', 1)
    const names = await Promise.all(
      queues.map(async ({ queue_id }) => {
        const { events } = await user.must('GET', '/events', { queue_id, dont_block: true })
        return events.map((event: { topic_name: string }) => event.topic_name)
      }),
    )
    assert.deepEqual(names, [[''], ['general chat']])
    assert.equal((await wants(user))[0].topic_name, 'general chat')
    assert.equal((await wants(user, { notification_settings_null: true, empty_topic_name: true }))[0].topic_name, '')
  })

  test('older clients: PATCH muted_topics, the event and the state of its kind', async () => {
    const { user, name, stream_id } = await inChannel()
    const registered = (event_types: string[]) => user.must('POST', '/register', { event_types })
    const [old, modern] = [await registered(['muted_topics']), await registered(['muted_topics', 'user_topic'])]
    assert.deepEqual(old.muted_topics, [])
    const mute = (parameters: Record<string, unknown>) =>
      user.request('PATCH', '/users/me/subscriptions/muted_topics', parameters)
    for (const parameters of [
      { stream_id, topic: 'Soup', op: 'add' },
      { stream: name, topic: 'soup', op: 'add' },
      { stream: name, topic: 'salad', op: 'remove' },
    ]) {
      assert.equal((await mute(parameters)).status, 200)
    }
    const { muted_topics } = await registered(['muted_topics'])
    assert.deepEqual(
      muted_topics.map(([channel, topic]: unknown[]) => [channel, topic]),
      [[name, 'Soup']],
    )
    await mute({ stream: name, topic: 'SOUP', op: 'remove' })
    const told = async ({ queue_id }: { queue_id: string }) =>
      (await user.must('GET', '/events', { queue_id, dont_block: true })).events.map(
        (event: { type: string; muted_topics?: unknown[] }) => [event.type, event.muted_topics?.length],
      )
    assert.deepEqual(await told(old), [
      ['muted_topics', 1],
      ['muted_topics', 0],
    ])
    assert.deepEqual(await told(modern), [
      ['user_topic', undefined],
      ['user_topic', undefined],
    ])
    const everything = await user.must('POST', '/register', {
      client_capabilities: { notification_settings_null: true },
    })
    assert.deepEqual([everything.muted_topics, everything.user_topics], [[], []])
    await mute({ stream_id, topic: 'tea', op: 'add' })
    assert.deepEqual(
      await told(everything),
      [
        ['muted_topics', 1],
        ['user_topic', undefined],
      ],
      'who names no types hears of both, the older form first',
    )
    await mute({ stream_id, topic: 'tea', op: 'remove' })
    // A followed topic is not muted, so `remove` changes nothing.
    await set(user, stream_id, 'tea', 3)
    await mute({ stream_id, topic: 'tea', op: 'remove' })
    assert.deepEqual(await wants(user), [{ stream_id, topic_name: 'tea', visibility_policy: 3 }])
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
    for (const id of [hidden, 2_000_000_000]) {
      assert.equal((await set(user, id, 'x', 1)).body.msg, 'Invalid channel ID')
      const muted = await user.request('PATCH', '/users/me/subscriptions/muted_topics', {
        stream_id: id,
        topic: 'x',
        op: 'add',
      })
      assert.deepEqual([muted.status, muted.body.msg], [400, 'Invalid channel ID'])
    }
    for (const [parameters, msg] of [
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

  test('muted topics and channels do not count as unread, unmuted ones do (SUB-FIELD-23)', async () => {
    const server = await parley()
    const { user, name, stream_id } = await inChannel()
    const sender = server.as('member')
    const count = async () =>
      (await user.must('POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })).unread_msgs
        .count
    const before = await count()
    for (const topic of ['Soup', 'soup', 'salad'])
      await sender.must('POST', '/messages', { type: 'channel', to: name, topic, content: 'x' })
    assert.equal(await count(), before + 3)
    await set(user, stream_id, 'SOUP', 1)
    assert.equal(await count(), before + 1)
    await user.must('PATCH', `/users/me/subscriptions/${stream_id}`, { property: 'is_muted', value: true })
    assert.equal(await count(), before)
    await set(user, stream_id, 'SOUP', 2)
    assert.equal(await count(), before + 2)
    await set(user, stream_id, 'salad', 3)
    assert.equal(await count(), before + 3)
  })
})
