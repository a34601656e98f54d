import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley, startParley } from '../../server/testing.ts'
import { age, edit, newChannel, read, send } from './edits-testing.ts'

onEachDatabase('PATCH /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('prev_content_sha256 may be in capitals (MSG-EDIT-23)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, 'grüße')
    const prev_content_sha256 = createHash('sha256').update('grüße').digest('hex').toUpperCase()
    await member.must('PATCH', `/messages/${id}`, { content: 'y', prev_content_sha256 })
  })

  test('nothing to change without content, also where the message is to be where it is (MSG-EDIT-57)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member)
    const { stream_id } = await read(member, id)
    for (const parameters of [{}, { topic: 'e' }, { stream_id }, { prev_content_sha256: 'a' }]) {
      const { status, body } = await edit(member, id, parameters)
      assert.equal(status, 400)
      assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Nothing to change'])
    }
  })

  test('the topic that a message has may be sent along, as clients do, and not its channel', async () => {
    const server = await parley()
    const member = server.as('member')
    const [id, nameless] = [await send(member), await send(member, 'x', { topic: '' })]
    const notices = { send_notification_to_old_thread: true, send_notification_to_new_thread: false }
    for (const mode of ['change_one', 'change_later', 'change_all']) {
      const body = await member.must('PATCH', `/messages/${id}`, {
        ...{ content: mode, topic: ' e ', propagate_mode: mode },
        ...notices,
      })
      assert.ok(!('ignored_parameters_unsupported' in body))
      assert.equal((await read(member, id)).content, mode)
    }
    for (const topic of ['', 'general chat', '(no topic)'])
      await member.must('PATCH', `/messages/${nameless}`, { content: `in "${topic}"`, topic })
    const { stream_id } = await read(member, id)
    const { body } = await edit(member, id, { content: 'y', stream_id })
    assert.equal(body.msg, 'Cannot change message content while changing channel')
  })

  test('as long as the former versions have 2,000,000 characters at most (DIFF-EDIT-HISTORY)', async () => {
    const member = (await parley()).as('member')
    const text = 'x'.repeat(9_900)
    const id = await send(member, text)
    const { rendered_content: html } = (await member.must('GET', `/messages/${id}/history`)).message_history[0]
    const most = Math.floor(2_000_000 / (text.length + html.length))
    for (let edits = 0; edits < most; edits++) await member.must('PATCH', `/messages/${id}`, { content: text })
    const { status, body } = await edit(member, id, { content: 'y' })
    assert.deepEqual([status, body.msg], [400, 'This message has been edited too many times'])
    assert.equal((await read(member, id)).content, text)
  })

  test('the time limit has some seconds of grace (MSG-EDIT-34)', async () => {
    const server = await parley()
    const member = server.as('member')
    const id = await send(member)
    await age(server, [id], 610)
    assert.equal((await edit(member, id, { content: 'in time' })).status, 200)
    await age(server, [id], 30)
    const { status, body } = await edit(member, id, { content: 'too late' })
    assert.equal(status, 400)
    assert.equal(body.msg, 'The time limit for editing this message has passed')
    assert.equal((await read(member, id)).content, 'in time')
  })

  test('an edit makes no widget', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, 'no widget')
    await member.must('PATCH', `/messages/${id}`, { content: '/poll Tea?' })
    assert.deepEqual((await read(member, id)).submessages, [])
  })

  test('in an archived channel nothing is edited', async () => {
    const server = await parley()
    const member = server.as('member')
    const to = await newChannel(server, [member])
    const id = await send(member, 'x', { to })
    await server.inDatabase(async (session) => session.run('update channel set is_archived = 1 where name = ?', [to]))
    const { body } = await edit(member, id, { content: 'y' })
    assert.equal(body.msg, 'The channel is archived: nothing in it can change')
  })

  test('a search finds the new text and not the old one', async () => {
    const server = await parley()
    const member = await server.newUser()
    const id = await send(member, 'walrus', { type: 'direct', to: [member.userId] })
    const found = async (operand: string) => {
      const around = { anchor: 'newest', num_before: 10, num_after: 0 }
      const { messages } = await member.must('GET', '/messages', {
        ...around,
        narrow: [{ operator: 'search', operand }],
      })
      return messages.map((message: { id: number }) => message.id)
    }
    assert.deepEqual(await found('walrus'), [id])
    await edit(member, id, { content: 'narwhal' })
    assert.deepEqual([await found('walrus'), await found('narwhal')], [[], [id]])
  })

  describe('mentions', () => {
    test('set the flag of whoever received the message, and take it from whoever is mentioned no more', async () => {
      const server = await parley()
      const [member, other, guest] = [server.as('member'), server.as('member2'), server.as('guest')]
      const to = await newChannel(server, [member, other])
      const id = await send(member, '@**Max Member** look', { to })
      const flags = async (client: ApiClient) => (await read(client, id)).flags
      assert.deepEqual(await flags(member), ['read', 'mentioned'])
      await edit(member, id, { content: '@**Mia Member** and @**Gus Guest** look' })
      assert.deepEqual(await flags(member), ['read'])
      assert.deepEqual(await flags(other), ['mentioned'])
      await member.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: to }],
        principals: [guest.userId],
      })
      assert.deepEqual(await flags(guest), ['read', 'historical'], 'a guest who joined later was not mentioned')
      await edit(member, id, { content: '@_**Mia Member** `@**all**`' })
      assert.deepEqual(await flags(other), [])
      await edit(member, id, { content: '@**all**' })
      assert.deepEqual(await flags(other), ['stream_wildcard_mentioned', 'wildcard_mentioned'])
      await edit(member, id, { content: 'never mind' })
      assert.deepEqual(await flags(other), [])
    })

    test('by topic wildcard reach the participants who received the message', async () => {
      const server = await parley()
      const [member, other, third] = [server.as('member'), server.as('member2'), server.as('moderator')]
      const to = await newChannel(server, [member, other, third])
      const id = await send(member, 'x', { to })
      await send(other, 'me too', { to })
      await edit(member, id, { content: '@**topic** wake up' })
      assert.deepEqual((await read(other, id)).flags, ['topic_wildcard_mentioned', 'wildcard_mentioned'])
      assert.deepEqual((await read(third, id)).flags, [])
    })

    test('in direct messages reach the people of the conversation only', async () => {
      const server = await parley()
      const [member, other] = [server.as('member'), server.as('member2')]
      const id = await send(member, 'x', { type: 'direct', to: [other.userId] })
      await edit(member, id, { content: '@**Mia Member** @**Gus Guest**' })
      assert.deepEqual((await read(other, id)).flags, ['mentioned'])
    })

    test('leave other flags and the unread state alone, and stand in unread_msgs', async () => {
      const server = await parley()
      const [member, other] = [await server.newUser(), await server.newUser('Uma Unread')]
      const to = await newChannel(server, [member, other])
      const id = await send(member, 'x', { to })
      await server.inDatabase(async (session) =>
        session.run('insert into message_flag (user_id, message_id, flags) values (?, ?, 1)', [other.userId, id]),
      )
      const mentions = async () =>
        (await other.must('POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })).unread_msgs
          .mentions
      assert.deepEqual(await mentions(), [])
      await edit(member, id, { content: '@**Uma Unread**' })
      assert.deepEqual(await mentions(), [id])
      assert.deepEqual((await read(other, id)).flags, ['starred', 'mentioned'])
      await edit(member, id, { content: 'gone' })
      assert.deepEqual(await mentions(), [])
      assert.deepEqual((await read(other, id)).flags, ['starred'])
    })

    test('alert words and groups count as in a new message', async () => {
      const server = await parley()
      const [member, other] = [await server.newUser(), await server.newUser()]
      await other.must('POST', '/users/me/alert_words', { alert_words: ['lobster'] })
      const to = await newChannel(server, [member, other])
      const id = await send(member, 'x', { to })
      await edit(member, id, { content: 'Lobster for lunch' })
      assert.deepEqual((await read(other, id)).flags, ['has_alert_word'])
      await edit(member, id, { content: 'no' })
      assert.deepEqual((await read(other, id)).flags, [])
    })
  })

  test('edit_history is there where the organization shows all (MSG-FIELD-36)', async (t) => {
    const server = await startParley(dialect)
    t.after(() => server.stop())
    const member = server.as('member')
    const id = await send(member)
    await edit(member, id, { content: 'y' })
    for (const [policy, isShown] of [
      ['none', false],
      ['moves', false],
      ['all', true],
    ] as const) {
      await server.as('owner').must('PATCH', '/realm', { message_edit_history_visibility_policy: policy })
      const { messages } = await member.must('GET', '/messages', { message_ids: [id] })
      for (const message of [await read(member, id), messages[0]]) {
        assert.deepEqual(['edit_history' in message, 'last_edit_timestamp' in message], [isShown, true])
      }
      const history = await member.get(`/messages/${id}/history`)
      if (policy === 'none') {
        assert.equal(history.body.msg, 'Message edit history is disabled in this organization')
      } else assert.equal(history.body.message_history.length, isShown ? 2 : 1)
    }
  })

  test('an organization can let messages be edited without a limit (MSG-EDIT-30)', async (t) => {
    const server = await startParley(dialect, {}, { message_content_edit_limit_seconds: null })
    t.after(() => server.stop())
    const member = server.as('member')
    const id = await send(member)
    await server.inDatabase(async (session) => session.run('update message set sent_at = 5 where id = ?', [id]))
    await member.must('PATCH', `/messages/${id}`, { content: 'y' })
  })
})
