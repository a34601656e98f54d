import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { idsIn, listen, sendAll, topics } from '../messages/edits-testing.ts'

const PROTECTED = { invite_only: true, history_public_to_subscribers: false }

onEachDatabase('POST /streams/{stream_id}/delete_topic', (dialect) => {
  const parley = sharedParley(dialect)

  const ground = async (more: Record<string, unknown> = {}) => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const { name, id } = await server.newChannel([member, admin], more)
    const remove = (topic_name: string, by = admin) => by.post(`/streams/${id}/delete_topic`, { topic_name })
    return { server, admin, member, name, id, remove }
  }

  test('deletes messages of every spelling', async () => {
    const { member, name, id, remove } = await ground()
    for (const spelling of ['Short', 'short', 'SHORT']) await sendAll(member, name, spelling, 1)
    await sendAll(member, name, 'kept', 1)
    assert.deepEqual((await remove(' short ')).body, { result: 'success', msg: '', complete: true })
    assert.deepEqual(await topics(member, id), ['kept'])
  })

  test('keeps messages that are sent meanwhile, and concurrent requests end in some order', async () => {
    const { member, admin, name, remove } = await ground()
    const ids = await sendAll(member, name, 'busy', 120)
    const answers = await Promise.all([
      remove('busy'),
      remove('busy'),
      sendAll(member, name, 'busy', 10),
      member.post(`/messages/${ids[0]}/reactions`, { emoji_name: 'octopus' }),
      admin.patch(`/messages/${ids[1]}`, { topic: 'moved', send_notification_to_new_thread: false }),
      member.delete(`/messages/${ids[2]}`),
    ])
    for (const answer of [answers[0], answers[1]]) assert.equal(answer.body.complete, true)
    for (const answer of [answers[3], answers[4], answers[5]]) {
      assert(answer.status === 200 || answer.body.msg === 'Invalid message(s)', JSON.stringify(answer.body))
    }
    const left = await idsIn(member, name, 'busy')
    assert.deepEqual(
      left.filter((one) => !answers[2].includes(one)),
      [],
    )
    assert.deepEqual(await idsIn(member, name, 'moved'), answers[4].status === 200 ? [ids[1]] : [])
  })

  test('is for administrators who read the channel, and for what they may read of it', async () => {
    const { server, member, admin, name, id, remove } = await ground(PROTECTED)
    const [early] = await sendAll(member, name, 'hidden', 1)
    const owner = server.as('owner')
    assert.equal((await remove('hidden', owner)).body.msg, 'Invalid channel ID')
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [owner.userId] })
    const [late] = await sendAll(member, name, 'hidden', 1)
    const queue = await listen(member, ['delete_message'])
    assert.equal((await remove('hidden', owner)).body.complete, true)
    assert.deepEqual(
      (await queue()).map((event) => event.message_ids),
      [[late]],
    )
    assert.deepEqual(await idsIn(member, name, 'hidden'), [early])
    await admin.must('DELETE', `/streams/${id}`)
    assert.equal((await remove('hidden')).body.msg, 'The channel is archived: nothing in it can change')
  })

  test('removes stars also of those who no longer see the messages', async () => {
    const { server, member, name, id, remove } = await ground()
    const gone = await server.newUser()
    const ids = await sendAll(member, name, 'starred', 3)
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [gone.userId] })
    await gone.must('POST', '/messages/flags', { messages: ids.slice(0, 2), op: 'add', flag: 'starred' })
    await member.must('PATCH', `/streams/${id}`, {
      is_private: true,
      history_public_to_subscribers: true,
    })
    await gone.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
    const queue = await listen(gone, ['delete_message', 'update_message_flags'])
    await remove('starred')
    const [event, ...others] = await queue()
    assert.deepEqual([event?.flag, event?.op, event?.messages, others], ['starred', 'remove', ids.slice(0, 2), []])
  })
})
