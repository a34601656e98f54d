import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onBothDatabases, sharedParley } from '../../server/testing.ts'
import { groundOf, listen, noticesIn, read, send, sendAll, topicOf, topics } from './edits-testing.ts'

onBothDatabases('moves to another topic', (dialect) => {
  const ground = groundOf(sharedParley(dialect))

  test('R2: another spelling of the same topic is no move: no notice, no time, and policies stay (DIFF-SPELLINGS)', async () => {
    const { mover, other, to, channelId } = await ground()
    const wanted = { propagate_mode: 'change_all', send_notification_to_old_thread: true }
    for (const [name, spelling] of [
      ['lunch', 'LUNCH'],
      ['Straße', 'STRASSE'],
      ['Caf\u00e9', 'Cafe\u0301'],
    ] as const) {
      const [id = 0, second = 0] = await sendAll(other, to, name, 2)
      const third = await send(other, 'x', { to, topic: spelling })
      await other.must('POST', '/user_topics', { stream_id: channelId, topic: name, visibility_policy: 3 })
      const queue = await listen(other, ['update_message', 'message', 'user_topic'])
      await mover.must('PATCH', `/messages/${id}`, { topic: spelling, ...wanted })
      const told = (await queue()).map((one) => [one.type, one.orig_subject, one.subject, one.message_ids])
      assert.deepEqual(told, [['update_message', name, spelling, [id, second]]])
      assert.deepEqual((await topics(mover, channelId)).slice(0, 1), [spelling])
      const { edit_history, last_moved_timestamp } = await read(mover, id)
      const [{ prev_topic, topic }] = edit_history
      assert.deepEqual([prev_topic, topic, last_moved_timestamp], [name, spelling, undefined])
      assert.ok(!('edit_history' in (await read(mover, third))), 'it had that spelling')
      const { user_topics } = await other.must('POST', '/register', { fetch_event_types: ['user_topic'] })
      const own = user_topics.find((one: Record<string, unknown>) => one.topic_name === name)
      assert.deepEqual([own?.stream_id, own?.visibility_policy], [channelId, 3])
    }
    const id = await send(other, 'x', { to, topic: 'bug' })
    await mover.must('PATCH', `/messages/${id}`, { topic: '✔ Bug', ...wanted })
    const notices = await noticesIn(mover, to, '✔ bug')
    assert.deepEqual(notices, [`@_**Max Member|${mover.userId}** resolved this topic.`], 'R2: and nothing else')
    assert.deepEqual(await noticesIn(mover, to, 'bug'), [])
  })

  describe('notices', () => {
    test('name the old and the new place (MSG-EDIT-18, 19)', async () => {
      const { mover, other, to } = await ground()
      const who = `@_**Max Member|${mover.userId}**`
      const [a = 0] = await sendAll(other, to, 'old', 6)
      await mover.must('PATCH', `/messages/${a}`, { topic: 'one' })
      assert.deepEqual(await noticesIn(mover, to, 'one'), [
        `${who} moved a message (#**${to}>one@${a}**) here from #**${to}>old**.`,
      ])
      await mover.must('PATCH', `/messages/${a + 4}`, { topic: 'two', propagate_mode: 'change_later' })
      assert.deepEqual(await noticesIn(mover, to, 'two'), [`${who} moved 2 messages here from #**${to}>old**.`])
      const left = { topic: 'three', propagate_mode: 'change_all', send_notification_to_old_thread: true }
      await mover.must('PATCH', `/messages/${a + 1}`, left)
      assert.deepEqual(await noticesIn(mover, to, 'three'), [`${who} moved this topic here from #**${to}>old**.`])
      assert.deepEqual(await noticesIn(mover, to, 'old'), [`${who} moved this topic to #**${to}>three**.`])
    })

    test('are from a bot that is in no list, and that nobody can change', async () => {
      const { server, mover, other, to } = await ground()
      const [id] = await sendAll(other, to, 'old', 2)
      await mover.must('PATCH', `/messages/${id}`, { topic: 'new *odd* `name` > $$x$$ @123' })
      const [, notice] = await topicOf(mover, to, 'new *odd* `name` > $$x$$ @123')
      const { message } = await mover.must('GET', `/messages/${notice?.id}`)
      assert.equal(message.client, 'Internal')
      assert.deepEqual(message.flags, [])
      assert.match(
        message.content,
        /^<p><span class="user-mention silent" data-user-id="\d+">Max Member<\/span> moved a message/,
      )
      assert.match(message.content, new RegExp(`href="/#narrow/channel/\\d+-[^"]*/near/${id}">Channel`))
      assert.match(message.content, /&gt; new odd name x 123<\/a>/)
      const { realm_users, realm_non_active_users, cross_realm_bots } = await mover.must('POST', '/register', {})
      const idsOf = (users: { user_id: number }[]) => users.map((user) => user.user_id)
      assert.ok(!idsOf([...realm_users, ...realm_non_active_users]).includes(message.sender_id))
      assert.deepEqual(idsOf(cross_realm_bots), [message.sender_id])
      const narrow = [{ operator: 'sender', operand: message.sender_id }]
      const sent = await mover.must('GET', '/messages', { anchor: notice?.id, num_before: 0, num_after: 0, narrow })
      assert.equal(sent.messages.length, 1)
      const owner = server.as('owner')
      for (const refused of [
        await owner.get(`/users/${message.sender_id}`),
        await owner.patch(`/users/${message.sender_id}`, { full_name: 'Mine' }),
        await owner.delete(`/users/${message.sender_id}`),
        await mover.post('/messages', { type: 'direct', to: [message.sender_id], content: 'x' }),
        await mover.delete(`/messages/${message.id}`),
      ]) {
        assert.equal(refused.status, 400)
      }
      await owner.must('DELETE', `/messages/${message.id}`)
    })
  })

  describe('resolving', () => {
    test('together with another name makes both notices', async () => {
      const { mover, other, to } = await ground()
      const id = await send(other, 'x', { to, topic: 'bug' })
      await mover.must('PATCH', `/messages/${id}`, { topic: '✔ fixed' })
      const notices = await noticesIn(mover, to, '✔ fixed')
      assert.deepEqual(
        notices.map((text) => /resolved|moved/.exec(text)?.[0]),
        ['resolved', 'moved'],
      )
      assert.ok('last_moved_timestamp' in (await read(mover, id)))
      await mover.must('PATCH', `/messages/${id}`, { topic: '✔ ✔ fixed' })
      assert.match((await noticesIn(mover, to, '✔ ✔ fixed')).at(-1) ?? '', /moved a message/)
    })

    test('followers of the topic have the notice as unread, unless they choose otherwise', async () => {
      const { server, mover, other, to, channelId } = await ground()
      const ids = await sendAll(other, to, 'bug', 1)
      const third = await server.newUser()
      await third.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
      await other.must('POST', '/user_topics', { stream_id: channelId, topic: 'bug', visibility_policy: 3 })
      await third.must('PATCH', '/settings', { resolved_topic_notice_auto_read_policy: 'never' })
      await mover.must('PATCH', `/messages/${ids[0]}`, { topic: '✔ bug', propagate_mode: 'change_all' })
      const notice = (await topicOf(mover, to, '✔ bug')).at(-1)?.id ?? 0
      const isRead = async (one: ApiClient) => (await read(one, notice)).flags.includes('read')
      assert.deepEqual([await isRead(mover), await isRead(other), await isRead(third)], [true, false, false])
      await other.must('PATCH', '/settings', { resolved_topic_notice_auto_read_policy: 'always' })
      await mover.must('PATCH', `/messages/${ids[0]}`, { topic: 'bug', propagate_mode: 'change_all' })
      const again = await read(other, (await topicOf(mover, to, 'bug')).at(-1)?.id ?? 0)
      assert.ok(again.flags.includes('read'))
      assert.equal(again.content, `@_**Max Member|${mover.userId}** opened this topic again.`)
    })
  })

  test('hide what people did not receive: in a protected history each is told of their own messages', async () => {
    const { server, mover, other } = await ground()
    const late = server.as('moderator')
    const hidden = { invite_only: true, history_public_to_subscribers: false }
    const { name: to } = await server.newChannel([mover, other], hidden)
    const early = await sendAll(other, to, 'secret', 2)
    await mover.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }], principals: [late.userId] })
    const later = await sendAll(other, to, 'secret', 2)
    const queues = [await listen(other, ['update_message']), await listen(late, ['update_message'])] as const
    const quiet = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
    await late.must('PATCH', `/messages/${later[1]}`, { topic: 'mine', ...quiet })
    await mover.must('PATCH', `/messages/${early[0]}`, { topic: 'mine', ...quiet })
    await mover.must('PATCH', `/messages/${later[0]}`, { topic: 'all', ...quiet })
    const heard = (events: Record<string, unknown>[]) => events.map((one) => [one.message_id, one.message_ids])
    assert.deepEqual(heard(await queues[1]()), [
      [later[1], later],
      [later[0], later],
    ])
    const all = heard(await queues[0]()).flatMap(([, ids]) => ids)
    assert.deepEqual(all, [...later, ...early, ...early, ...later])
  })
})
