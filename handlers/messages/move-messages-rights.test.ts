import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, startParley } from '../../server/testing.ts'
import { age, edit, idsIn, newChannel, read, send, sendAll } from './edits-testing.ts'

const WEEK = 7 * 24 * 3600

onEachDatabase('who may move to another topic', (dialect) => {
  const NOBODY = 1
  const role = (name: string): number => ['nobody', 'owners', 'administrators', 'moderators'].indexOf(name) + 1

  test('past the limit nobody below a moderator, whole topics as far as they are young (MSG-EDIT-35, 38 to 45, 55, 59)', async (t) => {
    const server = await startParley(dialect)
    t.after(() => server.stop())
    const [member, moderator] = [server.as('member'), server.as('moderator')]
    const to = await newChannel(server, [member, moderator])
    for (const topic of ['old', '']) {
      const ids = await sendAll(moderator, to, topic, 4)
      await age(server, ids.slice(0, 2), WEEK + 60)
      for (const propagate_mode of ['change_one', 'change_later', 'change_all']) {
        const { body } = await edit(member, ids[0] ?? 0, { topic: 'new', propagate_mode })
        assert.deepEqual(
          [body.code, body.msg],
          ['BAD_REQUEST', "The time limit for editing this message's topic has passed."],
        )
      }
      const { status, body } = await edit(member, ids[3] ?? 0, { topic: 'new', propagate_mode: 'change_all' })
      assert.equal(status, 400)
      assert.deepEqual(body, {
        result: 'error',
        msg: 'You may move only the 2 newest of the 4 messages of this topic',
        code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        first_message_id_allowed_to_move: ids[2],
        total_messages_in_topic: 4,
        total_messages_allowed_to_move: 2,
      })
      assert.deepEqual(await idsIn(member, to, topic), ids)
      const first = body.first_message_id_allowed_to_move
      await member.must('PATCH', `/messages/${first}`, { topic: `new ${topic}`, propagate_mode: 'change_later' })
      assert.deepEqual(await idsIn(member, to, `new ${topic}`), ids.slice(2))
      assert.deepEqual(await idsIn(member, to, topic), ids.slice(0, 2))
      await moderator.must('PATCH', `/messages/${ids[0]}`, { topic: `all ${topic}`, propagate_mode: 'change_all' })
    }
    // The single message is within the grace period, the topic is not.
    const late = await sendAll(moderator, to, 'grace', 1)
    await age(server, late, WEEK + 5)
    const { body } = await edit(member, late[0] ?? 0, { topic: 'x', propagate_mode: 'change_all' })
    assert.deepEqual([body.first_message_id_allowed_to_move, body.total_messages_allowed_to_move], [null, 0])
    await member.must('PATCH', `/messages/${late[0]}`, { topic: 'x' })
  })

  test('those whom organization or channel name, and for the mark alone those who may resolve (MSG-EDIT-31, 33, STATE-TOPIC-2, 7, LEVEL-367)', async (t) => {
    const settings = { can_move_messages_between_topics_group: NOBODY, can_resolve_topics_group: role('moderators') }
    const server = await startParley(dialect, {}, settings)
    t.after(() => server.stop())
    const [member, moderator] = [server.as('member'), server.as('moderator')]
    const to = await newChannel(server, [member, moderator])
    const id = await send(member, 'x', { to, topic: 'bug' })
    const refused = async (client: ApiClient, parameters: object) => {
      const { status, body } = await edit(client, id, { ...parameters })
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
      return body.msg
    }
    assert.equal(await refused(member, { topic: 'new' }), "You don't have permission to edit this message")
    assert.equal(await refused(moderator, { topic: 'new' }), "You don't have permission to edit this message")
    assert.equal(await refused(moderator, { topic: '✔ new' }), "You don't have permission to edit this message")
    assert.equal(await refused(member, { topic: '✔ bug' }), "You don't have permission to resolve topics.")
    await moderator.must('PATCH', `/messages/${id}`, { topic: '✔ bug' })
    assert.equal(await refused(member, { topic: 'bug' }), "You don't have permission to resolve topics.")
    const groups = { can_move_messages_within_channel_group: 7, can_resolve_topics_group: 7 }
    await server.inDatabase(async (session) =>
      session.run('update channel set group_settings = ? where name = ?', [JSON.stringify(groups), to]),
    )
    await member.must('PATCH', `/messages/${id}`, { topic: 'bug' })
    await member.must('PATCH', `/messages/${id}`, { topic: 'new' })
  })

  test('guests too, where everybody may; edits turned off stop no moves; topics may be mandatory (MSG-EDIT-5 to 7, 61)', async (t) => {
    const server = await startParley(
      dialect,
      {},
      { allow_message_editing: false, topics_policy: 'disable_empty_topic' },
    )
    t.after(() => server.stop())
    const [member, guest] = [server.as('member'), server.as('guest')]
    const to = await newChannel(server, [member, guest])
    const id = await send(member, 'x', { to, topic: 'bug' })
    await guest.must('PATCH', `/messages/${id}`, { topic: 'new' })
    for (const topic of ['', '(no topic)', 'general chat']) {
      const { body } = await edit(member, id, { topic })
      assert.deepEqual([body.code, body.empty_topic_display_name], ['BAD_REQUEST', 'general chat'])
    }
    assert.equal((await read(member, id)).subject, 'new')
  })

  test('guests get nothing from a group that they are in where guests cannot be chosen', async (t) => {
    const server = await startParley(dialect)
    t.after(() => server.stop())
    const [owner, member, other, guest] = ['owner', 'member', 'member2', 'guest'].map((name) => server.as(name))
    assert.ok(owner && member && other && guest)
    const ids = [other, guest].map((one) => one.userId)
    const group = { name: server.unique('group'), description: '', members: ids }
    const { group_id: groupId } = await owner.must('POST', '/user_groups/create', group)
    const names = ['can_delete_any_message_group', 'can_move_messages_between_channels_group']
    await owner.must('PATCH', '/realm', Object.fromEntries(names.map((name) => [name, { new: groupId }])))
    const from = await newChannel(server, [member, other, guest])
    const to = await newChannel(server, [member, other, guest])
    const { stream_id: target } = await other.must('GET', '/get_stream_id', { stream: to })
    const [id] = await sendAll(member, from, 'topic', 1)
    assert.equal((await edit(guest, id ?? 0, { stream_id: target })).status, 400)
    assert.equal((await guest.delete(`/messages/${id}`)).status, 400)
    await other.must('PATCH', `/messages/${id}`, { stream_id: target })
    await other.must('DELETE', `/messages/${id}`)
  })
})
