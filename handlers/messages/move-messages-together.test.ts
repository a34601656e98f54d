import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { groundOf, listen, sendAll } from './edits-testing.ts'

onEachDatabase('moves of topics', (dialect) => {
  const ground = groundOf(sharedParley(dialect))

  describe('visibility policies of a topic', () => {
    const policyOf = async (client: ApiClient, channelId: number, topic: string): Promise<number> => {
      const { user_topics } = await client.must('POST', '/register', { fetch_event_types: ['user_topic'] })
      const own = user_topics.find(
        (one: Record<string, unknown>) => one.stream_id === channelId && one.topic_name === topic,
      )
      return own?.visibility_policy ?? 0
    }
    const set = (client: ApiClient, stream_id: number, topic: string, visibility_policy: number) =>
      client.must('POST', '/user_topics', { stream_id, topic, visibility_policy })

    test('move with the whole topic, and replace those of a topic without messages', async () => {
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

    test('stay if a part of the topic moves', async () => {
      const { mover, other, to, channelId } = await ground()
      const [first] = await sendAll(other, to, 'old', 2)
      await set(other, channelId, 'old', 3)
      await mover.must('PATCH', `/messages/${first}`, { topic: 'new' })
      assert.deepEqual([await policyOf(other, channelId, 'old'), await policyOf(other, channelId, 'new')], [3, 0])
    })

    test('are merged with those of a topic that has messages', async () => {
      const { mover, other, to, channelId } = await ground()
      const [first] = await sendAll(mover, to, 'old', 2)
      await sendAll(mover, to, 'new', 1)
      await set(other, channelId, 'old', 3)
      await set(other, channelId, 'new', 1)
      await mover.must('PATCH', `/messages/${first}`, { topic: 'new', propagate_mode: 'change_all' })
      assert.deepEqual([await policyOf(other, channelId, 'old'), await policyOf(other, channelId, 'new')], [0, 0])
    })
  })
})
