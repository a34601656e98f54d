import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { idsIn, listen, newChannel, sendAll, topics } from '../messages/edits-testing.ts'

const PROTECTED = { invite_only: true, history_public_to_subscribers: false }

/** While true, twice the time limit of a request passes whenever the clock is read. */
let isSlow = false
let passedMs = 0
const clock = {
  ...systemClock,
  monotonic: () => {
    if (isSlow) passedMs += 100_000
    return systemClock.monotonic() + passedMs
  },
}

onEachDatabase('POST /streams/{stream_id}/delete_topic', (dialect) => {
  const parley = sharedParley(dialect, { clock })

  const ground = async (more: Record<string, unknown> = {}) => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const name = await newChannel(server, [member, admin], more)
    const { stream_id: id } = await member.must('GET', '/get_stream_id', { stream: name })
    const remove = (topic_name: string, by = admin) => by.post(`/streams/${id}/delete_topic`, { topic_name })
    return { server, admin, member, name, id, remove }
  }

  test('deletes messages of every spelling, the newest first, each batch by itself (DEL-TOPIC-7)', async () => {
    const { member, admin, name, id, remove } = await ground()
    const spellings = ['Long', 'long', 'LONG']
    const ids: number[] = []
    for (let count = 0; count < 7; count += 1) {
      ids.push(...(await sendAll(member, name, spellings[count % 3] ?? '', 15)))
    }
    const [kept] = await sendAll(member, name, 'kept', 1)
    const [capable, old] = [
      await listen(member, ['delete_message', 'stream']),
      await listen(admin, ['delete_message'], false),
    ]
    assert.deepEqual((await remove(' long ')).body, { result: 'success', msg: '', complete: true })
    const place = { type: 'delete_message', message_type: 'stream', stream_id: id }
    const heard = (await capable.heard()).map(({ id: _, ...event }) => event)
    assert.deepEqual(heard, [
      { ...place, message_ids: ids.slice(5), topic: 'long' },
      { ...place, message_ids: ids.slice(0, 5), topic: 'long' },
      { type: 'stream', op: 'update', stream_id: id, name, property: 'first_message_id', value: kept },
    ])
    const single = (await old.heard()).map((event) => event.message_id)
    assert.deepEqual(single, [...ids.slice(5), ...ids.slice(0, 5)])
    assert.deepEqual(await topics(member, id), ['kept'])
    assert.equal((await remove('long')).body.complete, true, 'nothing is left')
  })

  test('stops when its time is over, and goes on from there (DEL-TOPIC-5, DEL-TOPIC-6, STATE-DEL-2, STATE-DEL-3)', async () => {
    const { member, name, remove } = await ground()
    const ids = await sendAll(member, name, 'slow', 130)
    isSlow = true
    try {
      assert.equal((await remove('slow')).body.complete, false)
    } finally {
      isSlow = false
    }
    assert.deepEqual(await idsIn(member, name, 'slow'), ids.slice(0, 30))
    assert.equal((await remove('slow')).body.complete, true)
    assert.deepEqual(await idsIn(member, name, 'slow'), [])
  })

  test('leaves what was sent meanwhile, and what others do at once ends in some order', async () => {
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

  test('by administrators who read the channel, what they may read of it', async () => {
    const { server, member, admin, name, id, remove } = await ground(PROTECTED)
    const [early] = await sendAll(member, name, 'hidden', 1)
    const owner = server.as('owner')
    assert.equal((await remove('hidden', owner)).body.msg, 'Invalid channel ID')
    assert.equal((await remove('hidden', server.as('moderator'))).body.code, 'UNAUTHORIZED_PRINCIPAL')
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [owner.userId] })
    const [late] = await sendAll(member, name, 'hidden', 1)
    const queue = await listen(member, ['delete_message'])
    assert.equal((await remove('hidden', owner)).body.complete, true)
    assert.deepEqual(
      (await queue.heard()).map((event) => event.message_ids),
      [[late]],
    )
    assert.deepEqual(await idsIn(member, name, 'hidden'), [early])
    await admin.must('DELETE', `/streams/${id}`)
    assert.equal((await remove('hidden')).body.msg, 'The channel is archived: nothing in it can change')
    assert.equal(
      (await admin.post('/streams/99999999/delete_topic', { topic_name: 'x' })).body.msg,
      'Invalid channel ID',
    )
  })

  test('takes stars from those who see the messages no more, too', async () => {
    const { server, member, name, remove } = await ground()
    const gone = await server.newUser()
    const ids = await sendAll(member, name, 'starred', 3)
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [gone.userId] })
    await gone.must('POST', '/messages/flags', { messages: ids.slice(0, 2), op: 'add', flag: 'starred' })
    await member.must('PATCH', `/streams/${(await member.must('GET', '/get_stream_id', { stream: name })).stream_id}`, {
      is_private: true,
      history_public_to_subscribers: true,
    })
    await gone.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
    const queue = await listen(gone, ['delete_message', 'update_message_flags'])
    await remove('starred')
    const [event, ...others] = await queue.heard()
    assert.deepEqual([event?.flag, event?.op, event?.messages, others], ['starred', 'remove', ids.slice(0, 2), []])
  })
})
