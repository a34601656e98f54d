import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /attachments', (dialect) => {
  const parley = sharedParley(dialect)
  const send = async (user: ApiClient, to: ApiClient, content: string): Promise<number> =>
    (await user.must('POST', '/messages', { type: 'direct', to: [to.userId], content })).id

  test('own files with the messages of anybody that refer to them (ATTACH-1 to ATTACH-7)', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    assert.deepEqual((await user.must('GET', '/attachments')).attachments, [])
    const first = (await user.upload('first.txt', '1234')).body.url
    const second = (await user.upload('second.txt', '')).body.url
    await other.upload('not theirs', 'x')
    const ids = [
      await send(user, other, `[a](${first}) and once more ${server.url}${first}`),
      await send(other, user, `> [a](${first})`),
      await send(user, other, `[a](${first}) [b](${second})`),
    ]
    const { attachments } = await user.must('GET', '/attachments')
    assert.deepEqual(
      attachments.map(({ name, size, message_ids }: Answer['body']) => [name, size, message_ids]),
      [
        ['first.txt', 4, ids],
        ['second.txt', 0, [ids[2]]],
      ],
    )
    for (const { id, path_id, create_time, ...rest } of attachments) {
      assert.ok(Number.isInteger(id) && Math.abs(create_time - Date.now() / 1000) < 60)
      assert.ok([first, second].includes(`/user_uploads/${path_id}`))
      assert.deepEqual(Object.keys(rest).toSorted(), ['message_ids', 'name', 'size'])
    }
  })

  test('the owner is told when a message refers to a file, whoever sends it', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const { url } = (await user.upload('a.png', '1234')).body
    const { queue_id, last_event_id } = await user.must('POST', '/register', { event_types: ['attachment'] })
    const foreign = await other.must('POST', '/register', { event_types: ['attachment'] })
    const ids = [await send(user, other, `![](${url})`), await send(other, user, `[a](${url})`)]
    const { attachments, upload_space_used } = await user.must('GET', '/attachments')
    const { events } = await user.must('GET', '/events', { queue_id, last_event_id })
    assert.deepEqual(
      events.map(({ id: _, ...event }: Answer['body']) => event),
      [[ids[0]], ids].map((message_ids) => ({
        type: 'attachment',
        op: 'update',
        attachment: { ...attachments[0], message_ids },
        upload_space_used,
      })),
    )
    const none = await other.must('GET', '/events', { ...foreign, dont_block: true })
    assert.deepEqual(none.events, [])
  })
})
