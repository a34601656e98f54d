import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiClient } from '../../server/testing.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { listen, send } from '../messages/edits-testing.ts'

onEachDatabase('a channel whose history is hidden', (dialect) => {
  const parley = sharedParley(dialect)
  const starsOf = async (who: ApiClient): Promise<number[]> =>
    (await who.must('POST', '/register', { fetch_event_types: ['starred_messages'] })).starred_messages

  for (const [was, before] of [
    ['public', {}],
    ['private with a shared history', { invite_only: true, history_public_to_subscribers: true }],
  ] as const) {
    test(`G10: is hidden even from those who marked its messages while it was ${was}`, async () => {
      const server = await parley()
      const [writer, later] = [server.as('member'), await server.newUser()]
      const { name, id } = await server.newChannel([writer], before)
      const starred = await send(writer, 'one', { to: name })
      const unread = await send(writer, 'two', { to: name })
      const reacted = await send(writer, 'three', { to: name })
      const join = { subscriptions: [{ name }], principals: [writer.userId, later.userId] }
      await writer.must('POST', '/users/me/subscriptions', join)
      const received = await send(writer, 'four', { to: name })
      await later.must('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [starred, received] })
      await later.must('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [unread] })
      await later.must('POST', `/messages/${reacted}/reactions`, { emoji_name: 'octopus' })
      const queue = await listen(later, ['update_message_flags'])
      const hidden = { is_private: true, history_public_to_subscribers: false }
      await writer.must('PATCH', `/streams/${id}`, hidden)
      const readable = async (ids: number[]) =>
        Promise.all(ids.map(async (id) => (await later.get(`/messages/${id}`)).status))
      assert.deepEqual(await readable([starred, unread, reacted, received]), [400, 400, 400, 200])
      const told = (await queue()).map(({ op, flag, messages }: Record<string, unknown>) => [op, flag, messages])
      assert.deepEqual(told, [
        ['add', 'read', [unread]],
        ['remove', 'starred', [starred]],
      ])
      assert.deepEqual(await starsOf(later), [received])
      await writer.must('PATCH', `/streams/${id}`, { history_public_to_subscribers: true })
      assert.deepEqual(await starsOf(later), [received], 'nothing comes back')
    })
  }
})
