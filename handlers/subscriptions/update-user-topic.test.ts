import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows } from '../../db/rows-testing.ts'
import { MAX_TOPIC_POLICIES } from '../../domain/limits.ts'
import { VISIBILITY, type VisibilityPolicy } from '../../domain/topics/topic-visibility.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('visibility policies of topics', (dialect) => {
  const parley = sharedParley(dialect)

  test('a client that names both event types gets the newer one, and one that names none gets both, the older one first', async () => {
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

  test('are limited, and long lists are not announced in the older form (DIFF-POLICIES)', async () => {
    const server = await parley()
    const [user, owner] = [await server.newUser(), server.as('owner')]
    const { id: stream_id, name } = await server.newChannel([owner, user])
    const place = { user_id: user.userId, channel_id: stream_id, last_updated: 1 }
    const rows = Array.from({ length: MAX_TOPIC_POLICIES - 1 }, (_, number) => {
      const visibility_policy = number < 1500 ? VISIBILITY.muted : VISIBILITY.followed
      return { ...place, topic_key: `${number}`, topic_name: `${number}`.padStart(50), visibility_policy }
    })
    await server.inDatabase((session) => insertRows({ session }, 'user_topic', rows))
    const heard = await user.listen(['user_topic', 'muted_topics'])
    const older = await user.listen(['muted_topics'])
    const set = (topic: string, visibility_policy: VisibilityPolicy) =>
      user.post('/user_topics', { stream_id, topic, visibility_policy })
    const mention = { type: 'channel', to: name, topic: 'mentioned', content: `@**|${user.userId}**` }
    await owner.must('POST', '/messages', mention)
    assert.equal((await set('last', VISIBILITY.muted)).status, 200)
    const { status, body } = await set('one more', VISIBILITY.muted)
    assert.deepEqual([status, body.msg], [400, `An account has at most ${MAX_TOPIC_POLICIES} topics with a policy.`])
    assert.equal((await set('last', VISIBILITY.followed)).status, 200)
    assert.deepEqual([(await heard()).length, (await older()).length], [2, 0])
    await owner.must('PATCH', `/streams/${stream_id}`, { is_private: true })
    await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [user.userId] })
    assert.equal((await set('last', VISIBILITY.muted)).body.msg, 'Invalid channel ID')
    assert.equal((await set('last', VISIBILITY.none)).status, 200)
  })
})
