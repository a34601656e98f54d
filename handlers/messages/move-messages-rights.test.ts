import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, ownParley } from '../../server/testing.ts'
import { age, edit, read, send, sendAll } from './edits-testing.ts'

const WEEK = 7 * 24 * 3600

onEachDatabase('who may move to another topic', (dialect) => {
  const NOBODY = 1
  const MODERATORS = 4

  test('a single message has some seconds after the limit, its whole topic has not (MSG-EDIT-45)', async (t) => {
    const server = await ownParley(t, dialect)
    const [member, moderator] = [server.as('member'), server.as('moderator')]
    const { name } = await server.newChannel([member, moderator])
    const [late] = await sendAll(moderator, name, 'grace', 1)
    await age(server, [late ?? 0], WEEK + 5)
    const { body } = await edit(member, late ?? 0, { topic: 'x', propagate_mode: 'change_all' })
    assert.deepEqual(body, {
      result: 'error',
      msg: 'You may move only the 0 newest of the 1 messages of this topic',
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: null,
      total_messages_in_topic: 1,
      total_messages_allowed_to_move: 0,
    })
    await member.must('PATCH', `/messages/${late}`, { topic: 'x' })
    await age(server, [late ?? 0], WEEK)
    const refused = await edit(member, late ?? 0, { topic: 'y', propagate_mode: 'change_all' })
    assert.equal(refused.body.code, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', 'the named message is too old, too (NOTE-3)')
  })

  test('with a change of the mark both permissions are needed (STATE-TOPIC-2, 7)', async (t) => {
    const settings = { can_move_messages_between_topics_group: NOBODY, can_resolve_topics_group: MODERATORS }
    const server = await ownParley(t, dialect, {}, settings)
    const [member, moderator] = [server.as('member'), server.as('moderator')]
    const { name: to } = await server.newChannel([member, moderator])
    const id = await send(member, 'x', { to, topic: 'bug' })
    for (const [client, topic, msg] of [
      [member, 'new', "You don't have permission to edit this message"],
      [moderator, '✔ new', "You don't have permission to edit this message"],
      [member, '✔ bug', "You don't have permission to resolve topics."],
    ] as const) {
      const { status, body } = await edit(client, id, { topic })
      assert.deepEqual([status, body.msg], [400, msg])
    }
  })

  test('guests may too if everybody may; disabled edits do not forbid moves', async (t) => {
    const server = await ownParley(t, dialect, {}, { allow_message_editing: false })
    const [member, guest] = [server.as('member'), server.as('guest')]
    const { name: to } = await server.newChannel([member, guest])
    const id = await send(member, 'x', { to, topic: 'bug' })
    await guest.must('PATCH', `/messages/${id}`, { topic: 'new' })
    assert.equal((await read(member, id)).subject, 'new')
  })

  test('a group that contains guests does not give them rights of settings without guests', async (t) => {
    const server = await ownParley(t, dialect)
    const [owner, member, other, guest] = ['owner', 'member', 'member2', 'guest'].map((name) => server.as(name))
    assert.ok(owner && member && other && guest)
    const ids = [other, guest].map((one) => one.userId)
    const group = { name: server.unique('group'), description: '', members: ids }
    const { group_id: groupId } = await owner.must('POST', '/user_groups/create', group)
    const names = ['can_delete_any_message_group', 'can_move_messages_between_channels_group']
    await owner.must('PATCH', '/realm', Object.fromEntries(names.map((name) => [name, { new: groupId }])))
    const { name: from } = await server.newChannel([member, other, guest])
    const to = await server.newChannel([member, other, guest])
    const [id] = await sendAll(member, from, 'topic', 1)
    assert.equal((await edit(guest, id ?? 0, { stream_id: to.id })).status, 400)
    assert.equal((await guest.delete(`/messages/${id}`)).status, 400)
    await other.must('PATCH', `/messages/${id}`, { stream_id: to.id })
    await other.must('DELETE', `/messages/${id}`)
  })
})
