import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley, startParley } from '../../server/testing.ts'
import { edit, newChannel, read, send } from './edits-testing.ts'

onEachDatabase('PATCH /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('a new content is stored, rendered and dated; time and place stay (MSG-EDIT-21, MSG-FIELD-15, 33, 37)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, 'first **draft**')
    const before = await read(member, id)
    const { status, body } = await edit(member, id, { content: '/me *writes*  \n' })
    assert.equal(status, 200)
    assert.deepEqual(body, { result: 'success', msg: '', detached_uploads: [] })
    const { message, raw_content } = await member.must('GET', `/messages/${id}`)
    assert.equal(raw_content, '/me *writes*')
    assert.equal(message.content, '<p>/me <em>writes</em></p>')
    assert.equal(message.is_me_message, true)
    const { last_edit_timestamp: editedAt, edit_history: history } = message
    assert.ok(editedAt >= before.timestamp && editedAt <= Date.now() / 1000)
    assert.deepEqual(history, [
      {
        user_id: member.userId,
        timestamp: editedAt,
        prev_content: 'first **draft**',
        prev_rendered_content: '<p>first <strong>draft</strong></p>',
      },
    ])
    assert.ok(!('last_moved_timestamp' in message), 'MSG-FIELD-40')
    assert.equal(message.timestamp, before.timestamp)
    assert.equal(message.subject, 'e')
  })

  test('the history begins with the newest (MSG-FIELD-34)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, 'one')
    for (const content of ['two', 'three']) assert.equal((await edit(member, id, { content })).status, 200)
    const { edit_history: history } = await read(member, id)
    assert.deepEqual(
      history.map((entry: { prev_content: string }) => entry.prev_content),
      ['two', 'one'],
    )
  })

  test('blank content is stored as (deleted), long content is cut (MSG-EDIT-58, MSG-EDIT-22)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member)
    for (const content of ['', '  \n ', '\t']) {
      assert.equal((await edit(member, id, { content })).status, 200)
      assert.equal((await read(member, id)).content, '(deleted)')
    }
    assert.equal((await edit(member, id, { content: 'y'.repeat(10_001) })).status, 200)
    const { content } = await read(member, id)
    assert.equal(content.length, 10_000)
    assert.match(content, /\n\[message truncated\]$/)
    const { body } = await edit(member, id, { content: 'a\0b' })
    assert.equal(body.msg, 'Message must not contain null bytes')
  })

  test('prev_content_sha256 lets only the edit of the known text pass (MSG-EDIT-23 to 25)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, 'grüße')
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    const wrong = await edit(member, id, { content: 'y', prev_content_sha256: digest('other') })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.body, {
      result: 'error',
      msg: "'prev_content_sha256' value does not match the expected value.",
      code: 'EXPECTATION_MISMATCH',
      field_name: 'prev_content_sha256',
    })
    assert.equal((await read(member, id)).content, 'grüße')
    for (const [known, content] of [
      [digest('grüße'), 'second'],
      [digest('second').toUpperCase(), 'third'],
    ]) {
      assert.equal((await edit(member, id, { content, prev_content_sha256: known })).status, 200)
    }
    assert.equal((await read(member, id)).content, 'third')
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

  test('the place that a message has may be sent along, as clients do; no other (MSG-EDIT-3, 10, 11, 15, 27, 28)', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const [id, nameless] = [await send(member), await send(member, 'x', { topic: '' })]
    const direct = await send(member, 'x', { type: 'direct', to: [other.userId], topic: undefined })
    const { stream_id } = await read(member, id)
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
    const refused: [number, object, string][] = [
      [id, { topic: 'e', subject: 'e' }, "Can't decide between 'topic' and 'subject' arguments"],
      [id, { topic: 'e', propagate_mode: 'change_some' }, 'Invalid propagate_mode'],
      [id, { topic: 'a\u0007' }, 'Invalid character in topic, at position 2!'],
      [id, { propagate_mode: 'change_all' }, 'Invalid propagate_mode without topic edit'],
      [id, { stream_id }, 'Cannot change message content while changing channel'],
      [direct, { topic: 'e' }, 'Direct messages cannot have topics.'],
      [direct, { stream_id, topic: 'e' }, 'Direct messages cannot be moved to channels.'],
      [direct, { propagate_mode: 'change_all' }, 'Invalid propagate_mode without topic edit'],
    ]
    for (const [target, parameters, msg] of refused) {
      const before = await read(member, target)
      const { status, body } = await edit(member, target, { content: 'y', ...parameters })
      assert.deepEqual([status, body.msg], [400, msg])
      assert.deepEqual(await read(member, target), before)
    }
  })

  test('only the sender may; what one may not see does not exist (MSG-EDIT-37, MSG-EDIT-56, MSG-EDIT-60)', async () => {
    const server = await parley()
    const [member, owner] = [server.as('member'), server.as('owner')]
    const id = await send(member)
    const { body } = await edit(owner, id, { content: 'y', prev_content_sha256: 'wrong too' })
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', "You don't have permission to edit this message"])
    assert.equal((await read(member, id)).content, 'x')
    const secret = await send(member, 'x', { type: 'direct', to: [member.userId] })
    const absent = await edit(owner, 999_999_999, { content: 'y' })
    assert.equal(absent.body.msg, 'Invalid message(s)')
    for (const parameters of [{ content: 'y' }, {}, { content: '' }]) {
      assert.deepEqual((await edit(owner, secret, parameters)).body, absent.body)
    }
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
    const age = (seconds: number) =>
      server.inDatabase(async (session) =>
        session.run('update message set sent_at = ? where id = ?', [Math.floor(Date.now() / 1000) - seconds, id]),
      )
    await age(610)
    assert.equal((await edit(member, id, { content: 'in time' })).status, 200)
    await age(640)
    const { status, body } = await edit(member, id, { content: 'too late' })
    assert.equal(status, 400)
    assert.equal(body.msg, 'The time limit for editing this message has passed')
    assert.equal((await read(member, id)).content, 'in time')
  })

  test('widgets stay as they are (MSG-EDIT-62)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, '/poll Tea?\nyes\nno')
    const { body } = await edit(member, id, { content: 'y' })
    assert.equal(body.msg, 'Widgets cannot be edited.')
    const plain = await send(member, 'no widget')
    assert.equal((await edit(member, plain, { content: '/poll Tea?' })).status, 200)
    assert.deepEqual((await read(member, plain)).submessages, [], 'an edit makes none')
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

  test('tell which of one’s own files no message refers to any more (MSG-EDIT-51 to 54)', async () => {
    const server = await parley()
    const [member, other] = [await server.newUser(), await server.newUser()]
    const [lost, kept] = [
      (await member.upload('lost.txt', 'a')).body.url,
      (await member.upload('kept.txt', 'b')).body.url,
    ]
    const foreign = (await other.upload('foreign.txt', 'c')).body.url
    await send(other, `[c](${foreign})`, { type: 'direct', to: [member.userId] })
    await send(member, `[b](${kept})`, { type: 'direct', to: [other.userId] })
    const all = `[a](${lost}) [b](${kept}) [c](${foreign})`
    const id = await send(member, all, { type: 'direct', to: [other.userId] })
    const { attachments } = await member.must('GET', '/attachments')
    assert.deepEqual((await edit(member, id, { content: `${all}!` })).body.detached_uploads, [])
    const { body } = await edit(member, id, { content: 'none' })
    const entry = attachments.find((one: { path_id: string }) => lost.endsWith(one.path_id))
    assert.deepEqual(body.detached_uploads, [{ ...entry, message_ids: [] }])
  })

  test('a search finds the new text and not the old one; nothing finds what was deleted', async () => {
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
    await member.must('DELETE', `/messages/${id}`)
    assert.deepEqual(await found('narwhal'), [])
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

    test('of everybody in a large channel need permission (MSG-EDIT-48 to 50)', async () => {
      const server = await parley()
      const staff = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'].map((key) => server.as(key))
      const more: ApiClient[] = []
      for (let index = 0; index < 9; index++) more.push(await server.newUser())
      const to = await newChannel(server, [...staff, ...more])
      const id = await send(server.as('member'), 'x', { to })
      const { body } = await edit(server.as('member'), id, { content: '@**all**' })
      assert.equal(body.code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
      for (const one of [...staff, ...more]) await send(one, 'here', { to })
      const topic = await edit(server.as('member'), id, { content: '@**topic**' })
      assert.equal(topic.body.code, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
      const own = await send(server.as('owner'), 'x', { to })
      for (const content of ['@**all**', '@**topic**']) {
        assert.equal((await edit(server.as('owner'), own, { content })).status, 200)
      }
    })
  })

  for (const [policy, seen] of [
    ['none', false],
    ['moves', false],
    ['all', true],
  ] as const) {
    test(`edit_history where the organization shows ${policy} (MSG-FIELD-36)`, async () => {
      const server = await startParley(dialect, {}, { message_edit_history_visibility_policy: policy })
      try {
        const member = server.as('member')
        const id = await send(member)
        await edit(member, id, { content: 'y' })
        const message = await read(member, id)
        assert.equal('edit_history' in message, seen)
        assert.ok('last_edit_timestamp' in message)
        const { messages } = await member.must('GET', '/messages', { message_ids: [id] })
        assert.equal('edit_history' in messages[0], seen)
        const history = await member.get(`/messages/${id}/history`)
        if (policy === 'none') {
          assert.equal(history.body.msg, 'Message edit history is disabled in this organization')
        } else assert.equal(history.body.message_history.length, seen ? 2 : 1)
      } finally {
        await server.stop()
      }
    })
  }

  test('an organization can turn editing off, or limit it not at all (MSG-EDIT-30)', async () => {
    const off = await startParley(dialect, {}, { allow_message_editing: false })
    try {
      const member = off.as('member')
      const { body } = await edit(member, await send(member), { content: 'y' })
      assert.equal(body.msg, 'Your organization has turned off message editing')
    } finally {
      await off.stop()
    }
    const unlimited = await startParley(dialect, {}, { message_content_edit_limit_seconds: null })
    try {
      const member = unlimited.as('member')
      const id = await send(member)
      await unlimited.inDatabase(async (session) => session.run('update message set sent_at = 5 where id = ?', [id]))
      assert.equal((await edit(member, id, { content: 'y' })).status, 200)
    } finally {
      await unlimited.stop()
    }
  })
})
