import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { edit, groundOf, idOf, listen, newChannel, read, sendAll, topics } from './edits-testing.ts'

onEachDatabase('topics that move', (dialect) => {
  const ground = groundOf(sharedParley(dialect))

  describe('what people have set for a topic', () => {
    const policyOf = async (client: ApiClient, channelId: number, topic: string): Promise<number> => {
      const { user_topics } = await client.must('POST', '/register', { fetch_event_types: ['user_topic'] })
      const own = user_topics.find(
        (one: Record<string, unknown>) => one.stream_id === channelId && one.topic_name === topic,
      )
      return own?.visibility_policy ?? 0
    }
    const set = (client: ApiClient, stream_id: number, topic: string, visibility_policy: number) =>
      client.must('POST', '/user_topics', { stream_id, topic, visibility_policy })

    test('goes with the whole topic, and overwrites what was set for a topic without messages', async () => {
      const { mover, other, to, channelId } = await ground()
      const [first] = await sendAll(other, to, 'old', 2)
      await set(other, channelId, 'old', 3)
      await set(mover, channelId, 'old', 1)
      await set(other, channelId, 'new', 1)
      const queue = await listen(other, ['user_topic', 'update_message'])
      await mover.must('PATCH', `/messages/${first}`, { topic: 'new', propagate_mode: 'change_all' })
      const told = (await queue()).map((one) => [one.type, one.topic_name ?? null, one.visibility_policy ?? null])
      assert.deepEqual(told, [
        ['user_topic', 'old', 0],
        ['user_topic', 'new', 3],
        ['update_message', null, null],
      ])
      assert.deepEqual([await policyOf(other, channelId, 'old'), await policyOf(other, channelId, 'new')], [0, 3])
      assert.deepEqual([await policyOf(mover, channelId, 'old'), await policyOf(mover, channelId, 'new')], [0, 1])
    })

    test('stays where a part of the topic does', async () => {
      const { mover, other, to, channelId } = await ground()
      const [first] = await sendAll(other, to, 'old', 2)
      await set(other, channelId, 'old', 3)
      await mover.must('PATCH', `/messages/${first}`, { topic: 'new' })
      assert.deepEqual([await policyOf(other, channelId, 'old'), await policyOf(other, channelId, 'new')], [3, 0])
    })

    test('is put together with what was set for a topic that has messages', async () => {
      const { server } = await ground()
      const [mover, other] = [server.as('member'), server.as('member2')]
      for (const [old, present, expected] of [
        [3, 0, 0],
        [0, 3, 3],
      ] as const) {
        const to = await newChannel(server, [mover, other])
        const channelId = await idOf(mover, to)
        const [first] = await sendAll(mover, to, 'old', 2)
        await sendAll(mover, to, 'new', 1)
        await set(other, channelId, 'old', old)
        await set(other, channelId, 'new', present)
        await mover.must('PATCH', `/messages/${first}`, { topic: 'new', propagate_mode: 'change_all' })
        const policies = [await policyOf(other, channelId, 'old'), await policyOf(other, channelId, 'new')]
        assert.deepEqual(policies, [0, expected], `${old} and ${present}`)
      }
    })
  })

  describe('two at once end as if one came after the other', () => {
    test('two moves of a topic', async () => {
      const { mover, other, to, channelId } = await ground()
      const [id = 0] = await sendAll(other, to, 'race', 3)
      const wanted = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
      const answers = await Promise.all([
        edit(mover, id, { topic: 'left', ...wanted }),
        edit(other, id, { topic: 'right', ...wanted }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      const { subject, edit_history } = await read(mover, id)
      assert.deepEqual(await topics(mover, channelId), [subject])
      assert.equal(edit_history[0].prev_topic, edit_history[1].topic)
    })

    test('an edit and a move, a move and a deletion, a move and a reaction, a move and a departure', async () => {
      const { server, mover, other, to, channelId } = await ground()
      const ids = await sendAll(other, to, 'race', 4)
      const [a = 0, b = 0, c = 0, d = 0] = ids
      const move = (id: number, topic: string) => edit(mover, id, { topic, send_notification_to_new_thread: false })
      const edited = await Promise.all([edit(other, a, { content: 'edited' }), move(a, 'a')])
      assert.deepEqual(
        edited.map(({ status }) => status),
        [200, 200],
      )
      const message = await read(mover, a)
      assert.deepEqual([message.content, message.subject, message.edit_history.length], ['edited', 'a', 2])
      const [moved, deleted] = await Promise.all([move(b, 'b'), server.as('owner').delete(`/messages/${b}`)])
      assert.equal(deleted.status, 200)
      assert.ok(moved.status === 200 || moved.body.msg === 'Invalid message(s)')
      assert.ok(!(await topics(mover, channelId)).includes('b'))
      const reacted = await Promise.all([move(c, 'c'), mover.post(`/messages/${c}/reactions`, { emoji_name: 'tada' })])
      assert.deepEqual(
        reacted.map(({ status }) => status),
        [200, 200],
      )
      const leave = mover.delete('/users/me/subscriptions', { subscriptions: [to] })
      const left = await Promise.all([move(d, 'd'), leave])
      assert.deepEqual(
        left.map(({ status }) => status),
        [200, 200],
      )
      assert.deepEqual(await topics(other, channelId), ['d', 'c', 'a'])
    })
  })
})
