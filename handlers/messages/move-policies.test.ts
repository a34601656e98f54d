import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { listen, send } from './edits-testing.ts'

const QUIET = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
const FOLLOWED = 3
const MUTED = 1

onEachDatabase('policies for a topic that the user cannot read', (dialect) => {
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
      const [from, to] = [await server.newChannel([writer, left], privacy), await server.newChannel([writer], privacy)]
      const id = await send(writer, 'x', { to: from.name, topic: 'plans' })
      await set(left, from.id, 'plans', policy)
      await left.must('DELETE', '/users/me/subscriptions', { subscriptions: [from.name] })
      const queue = await listen(left, TYPES)
      await writer.must('PATCH', `/messages/${id}`, { topic: 'takeover', ...QUIET })
      await writer.must('PATCH', `/messages/${id}`, { topic: 'plans', stream_id: to.id, ...QUIET })
      assert.deepEqual(await queue(), [])
      assert.deepEqual(await policiesOf(left, from.id, to.id), [[from.id, 'plans', policy]])
    })
  }

  test('stay for the topic into which others merge one (DIFF-MERGED-POLICIES)', async () => {
    const server = await parley()
    const [writer, reader] = [server.as('member'), await server.newUser()]
    const { id, name: to } = await server.newChannel([writer, reader])
    await send(writer, 'x', { to, topic: 'followed' })
    await set(reader, id, 'followed', FOLLOWED)
    const merged = await send(writer, 'x', { to, topic: 'plans' })
    await writer.must('PATCH', `/messages/${merged}`, { topic: 'followed', ...QUIET })
    assert.deepEqual(await policiesOf(reader, id), [[id, 'followed', FOLLOWED]])
  })

  test('have no event in the older form for people with many policies, or for many people (DIFF-POLICIES)', async () => {
    const server = await parley()
    const writer = server.as('member')
    const made = await Promise.all(Array.from({ length: 5 }, () => server.newUser()))
    // They are told in the order of their IDs.
    const readers = made.toSorted((a, b) => Number(a.userId) - Number(b.userId))
    const { id, name: to } = await server.newChannel([writer, ...readers])
    const moved = await send(writer, 'x', { to, topic: 'plans' })
    // One has too many, and each other list has some 20 KB, of which 64 KiB hold three.
    await server.inDatabase(async ({ knex }) => {
      for (const [place, { userId }] of readers.entries()) {
        const own = { user_id: userId, channel_id: id, last_updated: place, visibility_policy: MUTED }
        const named = (number: number) => ({ topic_key: `${number}`, topic_name: `${number}`.padStart(50) })
        for (const start of [0, 250].slice(0, place === 0 ? 2 : 1)) {
          await knex('user_topic').insert(
            Array.from({ length: 250 }, (_, number) => ({ ...own, ...named(start + number) })),
          )
        }
      }
    })
    for (const reader of readers) await set(reader, id, 'plans', MUTED)
    const queues = await Promise.all(readers.map((reader) => listen(reader, ['muted_topics'])))
    const newer = await Promise.all(readers.map((reader) => listen(reader, ['user_topic'])))
    await writer.must('PATCH', `/messages/${moved}`, { topic: 'later', ...QUIET })
    const counts = await Promise.all(queues.map(async (queue) => (await queue()).length))
    assert.deepEqual(counts, [0, 1, 1, 1, 0])
    for (const queue of newer) assert.equal((await queue()).length, 2)
  })

  test('G4: stay for people without any of its messages, if the history is hidden', async () => {
    const server = await parley()
    const [writer, late] = [server.as('member'), await server.newUser()]
    const hidden = { invite_only: true, history_public_to_subscribers: false }
    const [from, to] = [await server.newChannel([writer], hidden), await server.newChannel([writer, late], hidden)]
    const id = await send(writer, 'early', { to: from.name, topic: 'plans' })
    await subscribe(writer, from.name, late)
    await set(late, from.id, 'plans', FOLLOWED)
    const queue = await listen(late, TYPES)
    await writer.must('PATCH', `/messages/${id}`, { topic: 'takeover', ...QUIET })
    assert.deepEqual(await queue(), [])
    const seen = await send(writer, 'later', { to: from.name, topic: 'plans' })
    await writer.must('PATCH', `/messages/${seen}`, { topic: 'lunch', ...QUIET })
    assert.deepEqual(await policiesOf(late, from.id), [[from.id, 'lunch', FOLLOWED]], 'of this one they got a message')
    const open = await server.newChannel([writer])
    const unseen = await send(writer, 'public', { to: open.name, topic: 'offers' })
    await set(late, open.id, 'offers', FOLLOWED)
    await writer.must('PATCH', `/messages/${unseen}`, { topic: 'secret', stream_id: to.id, ...QUIET })
    assert.deepEqual(await policiesOf(late, open.id, to.id), [])
  })
})
