import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('what somebody wants of a topic', (dialect) => {
  const parley = sharedParley(dialect)

  test('who names both forms hears of the newer one, and who names no types of both, the older form first', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { name: stream } = await server.newChannel([user])
    const registered = (event_types?: string[]) =>
      user.must('POST', '/register', { event_types, client_capabilities: { notification_settings_null: true } })
    const [modern, everything] = [await registered(['muted_topics', 'user_topic']), await registered()]
    assert.deepEqual([modern.muted_topics, modern.user_topics], [undefined, []])
    assert.deepEqual([everything.muted_topics, everything.user_topics], [[], []])
    await user.must('PATCH', '/users/me/subscriptions/muted_topics', { stream, topic: 'tea', op: 'add' })
    const told = async ({ queue_id }: { queue_id: string }) =>
      (await user.must('GET', '/events', { queue_id, dont_block: true })).events.map(
        ({ type }: { type: string }) => type,
      )
    assert.deepEqual(await told(modern), ['user_topic'])
    assert.deepEqual(await told(everything), ['muted_topics', 'user_topic'])
  })
})
