import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'
import { age, edit, listen, noticesIn, send, sendAll } from './edits-testing.ts'

const PRIVATE = { invite_only: true, history_public_to_subscribers: true }
const PROTECTED = { invite_only: true, history_public_to_subscribers: false }
const QUIET = { propagate_mode: 'change_all', send_notification_to_new_thread: false }

onEachDatabase('moves to another channel', (dialect) => {
  const parley = sharedParley(dialect)

  test('people who lose access lose their flags and settings, and learn nothing of the new place', async () => {
    const server = await parley()
    const [mover, loser] = [server.as('member'), server.as('member2')]
    const from = await server.newChannel([mover, loser])
    for (const kind of [PRIVATE, PROTECTED]) {
      const to = await server.newChannel([mover], kind)
      const ids = await sendAll(mover, from.name, 'plans', 2)
      await loser.must('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'starred' })
      await loser.must('POST', '/user_topics', { stream_id: from.id, topic: 'plans', visibility_policy: 3 })
      const own = await listen(loser, ['update_message_flags', 'user_topic'])
      await mover.must('PATCH', `/messages/${ids[0]}`, { stream_id: to.id, topic: 'hidden', ...QUIET })
      assert.deepEqual(
        (await own()).map((one) => [one.op ?? one.topic_name, one.flag ?? one.visibility_policy]),
        [
          ['add', 'read'],
          ['remove', 'starred'],
          ['plans', 0],
        ],
      )
    }
  })

  test('both channels have their first message, and announce a change of it (SUB-FIELD-33)', async () => {
    const server = await parley()
    const [mover, other] = [server.as('member'), server.as('member2')]
    const [from, to] = [await server.newChannel([mover]), await server.newChannel([mover])]
    const ids = await sendAll(mover, from.name, 'plans', 2)
    const queue = await listen(other, ['stream'])
    await mover.must('PATCH', `/messages/${ids[0]}`, { stream_id: to.id, ...QUIET, propagate_mode: 'change_one' })
    await mover.must('PATCH', `/messages/${ids[1]}`, { stream_id: to.id, ...QUIET })
    const told = (await queue()).map((one) => [one.stream_id, one.property, one.value])
    assert.deepEqual(told, [
      [from.id, 'first_message_id', ids[1]],
      [to.id, 'first_message_id', ids[0]],
      [from.id, 'first_message_id', null],
    ])
    assert.equal((await other.must('GET', `/streams/${from.id}`)).stream.first_message_id, null)
  })

  test('in a protected history, late subscribers lose messages and flags, and are told of a deletion', async () => {
    const server = await parley()
    const [mover, late] = [server.as('member'), await server.newUser()]
    const [{ name: from }, to] = [await server.newChannel([mover]), await server.newChannel([mover, late], PROTECTED)]
    const id = await send(mover, 'x', { to: from, topic: 'plans' })
    await late.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: from }] })
    await late.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    const queue = await listen(late, ['update_message', 'delete_message'])
    await mover.must('PATCH', `/messages/${id}`, { stream_id: to.id, ...QUIET })
    const told = (await queue()).map((one) => [one.type, one.topic])
    assert.deepEqual(told, [['delete_message', 'plans']])
    assert.equal((await late.get(`/messages/${id}`)).status, 400)
  })

  test('non-subscribers of the new channel have read what moved there', async () => {
    const server = await parley()
    const [mover, other] = [server.as('member'), server.as('member2')]
    const [{ name: from }, to] = [await server.newChannel([mover, other]), await server.newChannel([mover])]
    const ids = await sendAll(mover, from, 'plans', 2)
    const queue = await listen(other, ['update_message', 'update_message_flags'])
    await mover.must('PATCH', `/messages/${ids[0]}`, { stream_id: to.id, ...QUIET })
    const [marked, moved] = await queue()
    assert.deepEqual([marked?.flag, marked?.op, marked?.messages], ['read', 'add', ids])
    assert.deepEqual([moved?.new_stream_id, moved?.flags], [to.id, ['read']])
    const own = await send(other, 'x', { to: from, topic: 'own' })
    await mover.must('PATCH', `/messages/${own}`, { stream_id: to.id, ...QUIET })
    const told = (await queue()).map(({ type }) => type)
    assert.deepEqual(told, ['update_message'], 'who has read it already is told nothing of that')
    await other.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to.name }] })
    const { unread_msgs } = await other.must('POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    assert.ok(!unread_msgs.streams.some((one: { stream_id: number }) => one.stream_id === to.id))
  })

  test('notices never name a private channel to readers of another one', async () => {
    const server = await parley()
    const mover = server.as('member')
    const { name: from, id: fromId } = await server.newChannel([mover])
    const { name: to, id: toId } = await server.newChannel([mover], PRIVATE)
    const id = await send(mover, 'x', { to: from, topic: 'plans' })
    const both = { propagate_mode: 'change_all', send_notification_to_old_thread: true }
    await mover.must('PATCH', `/messages/${id}`, { stream_id: toId, topic: 'hidden', ...both })
    const who = `@_**Max Member|${mover.userId}**`
    assert.deepEqual(await noticesIn(mover, from, 'plans'), [`${who} moved this topic to a private channel.`])
    assert.deepEqual(await noticesIn(mover, to, 'hidden'), [`${who} moved this topic here from #**${from}>plans**.`])
    await mover.must('PATCH', `/messages/${id}`, { stream_id: fromId, topic: 'back', ...both })
    assert.deepEqual(
      (await noticesIn(mover, from, 'back')).at(-1),
      `${who} moved this topic here from a private channel.`,
    )
    assert.deepEqual(await noticesIn(mover, to, 'hidden'), [`${who} moved this topic to #**${from}>back**.`])
  })

  test('require permission to move out, and to see the new channel and send there (MSG-EDIT-32, 36, 61)', async (t) => {
    const server = await ownParley(t, dialect)
    const [member, guest, owner] = [server.as('member'), server.as('guest'), server.as('owner')]
    const [{ name: from }, to] = [await server.newChannel([member, guest]), await server.newChannel([member, guest])]
    const secret = await server.newChannel([owner], PRIVATE)
    const id = await send(member, 'x', { to: from })
    const refused = async (client: ApiClient, stream_id: number, more: object = {}) => {
      const { status, body } = await edit(client, id, { stream_id, ...more })
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
      return body.msg
    }
    for (const target of [to.id, secret.id, 999_999]) {
      assert.equal(await refused(guest, target), "You don't have permission to move this message")
    }
    for (const target of [secret.id, 999_999, 0, -1]) assert.equal(await refused(member, target), 'Invalid channel ID')
    const closed = await server.newChannel([owner, member], { can_send_message_group: 2 })
    assert.equal(await refused(member, closed.id), `Not authorized to send to channel '${closed.name}'`)
    await age(server, [id], 7 * 24 * 3600 + 60)
    assert.equal(await refused(member, to.id), "The time limit for editing this message's channel has passed")
  })
})
