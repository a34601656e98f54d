import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { idOf, listen, newChannel, send } from './edits-testing.ts'

const QUIET = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
const FOLLOWED = 3
const MUTED = 1

onEachDatabase('what somebody has set for a topic that they do not read', (dialect) => {
  const parley = sharedParley(dialect)
  const subscribe = (by: ApiClient, name: string, who: ApiClient) =>
    by.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.userId] })
  const set = (who: ApiClient, stream_id: number, topic: string, visibility_policy: number) =>
    who.must('POST', '/user_topics', { stream_id, topic, visibility_policy })
  const policiesOf = async (who: ApiClient, ...channels: number[]) => {
    const { user_topics } = await who.must('POST', '/register', { fetch_event_types: ['user_topic'] })
    const own = user_topics.filter((one: { stream_id: number }) => channels.includes(one.stream_id))
    return own.map((one: Record<string, unknown>) => [one.stream_id, one.topic_name, one.visibility_policy])
  }
  const TYPES = [
    'user_topic',
    'muted_topics',
    'update_message',
    'update_message_flags',
    'drafts',
    'scheduled_messages',
    'reminders',
  ]

  for (const policy of [FOLLOWED, MUTED]) {
    test(`G4: stays as it is when others rename or move the topic (${policy})`, async () => {
      const server = await parley()
      const [writer, left] = [server.as('member'), await server.newUser()]
      const privacy = { invite_only: true, history_public_to_subscribers: true }
      const [from, to] = [
        await newChannel(server, [writer, left], privacy),
        await newChannel(server, [writer], privacy),
      ]
      const [fromId, toId] = [await idOf(writer, from), await idOf(writer, to)]
      const id = await send(writer, 'x', { to: from, topic: 'plans' })
      await set(left, fromId, 'plans', policy)
      await left.must('DELETE', '/users/me/subscriptions', { subscriptions: [from] })
      const queue = await listen(left, TYPES)
      await writer.must('PATCH', `/messages/${id}`, { topic: 'takeover', ...QUIET })
      await writer.must('PATCH', `/messages/${id}`, { topic: 'plans', stream_id: toId, ...QUIET })
      assert.deepEqual(await queue(), [])
      assert.deepEqual(await policiesOf(left, fromId, toId), [[fromId, 'plans', policy]])
    })
  }

  test('G4: stays as it is for those who got none of its messages, where the history is hidden', async () => {
    const server = await parley()
    const [writer, late] = [server.as('member'), await server.newUser()]
    const hidden = { invite_only: true, history_public_to_subscribers: false }
    const [from, to] = [await newChannel(server, [writer], hidden), await newChannel(server, [writer, late], hidden)]
    const [fromId, toId] = [await idOf(writer, from), await idOf(writer, to)]
    const id = await send(writer, 'early', { to: from, topic: 'plans' })
    await subscribe(writer, from, late)
    await set(late, fromId, 'plans', FOLLOWED)
    const queue = await listen(late, TYPES)
    await writer.must('PATCH', `/messages/${id}`, { topic: 'takeover', ...QUIET })
    assert.deepEqual(await queue(), [])
    const seen = await send(writer, 'later', { to: from, topic: 'plans' })
    await writer.must('PATCH', `/messages/${seen}`, { topic: 'lunch', ...QUIET })
    assert.deepEqual(await policiesOf(late, fromId), [[fromId, 'lunch', FOLLOWED]], 'of this one they got a message')
    const open = await newChannel(server, [writer])
    const openId = await idOf(writer, open)
    const unseen = await send(writer, 'public', { to: open, topic: 'offers' })
    await set(late, openId, 'offers', FOLLOWED)
    await writer.must('PATCH', `/messages/${unseen}`, { topic: 'secret', stream_id: toId, ...QUIET })
    assert.deepEqual(await policiesOf(late, openId, toId), [])
  })
})
