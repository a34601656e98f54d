import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('every field of a channel message (MSG-FIELD-1 to MSG-FIELD-42, MSG-GET-6, MSG-GET-7)', async () => {
    const member = (await parley()).as('member')
    const sentAfter = Math.floor(Date.now() / 1000)
    const { id } = await member.must('POST', '/messages', {
      type: 'channel',
      to: 'general',
      topic: 'f',
      content: '**x**',
    })
    const { body } = await member.get(`/messages/${id}`)
    const { timestamp, stream_id, recipient_id, avatar_url, ...rest } = body.message
    assert.deepEqual(rest, {
      id,
      type: 'stream',
      subject: 'f',
      display_recipient: 'general',
      topic_links: [],
      content: '<p><strong>x</strong></p>',
      content_type: 'text/html',
      sender_id: member.userId,
      sender_email: member.email,
      sender_full_name: 'Max Member',
      sender_realm_str: '',
      client: 'ZulipTerminal',
      is_me_message: false,
      reactions: [],
      submessages: [],
      flags: ['read'],
    })
    assert.ok(Number.isInteger(timestamp) && timestamp >= sentAfter && timestamp <= Date.now() / 1000, 'ENV-16')
    assert.ok(Number.isInteger(stream_id) && Number.isInteger(recipient_id))
    assert.match(avatar_url, /^https:/, 'without client_gravatar there is an address (MSG-FIELD-21, NOTE-15)')
    assert.equal(body.raw_content, '**x**')
    assert.deepEqual(Object.keys(body).toSorted(), ['message', 'msg', 'raw_content', 'result'])
  })

  test('a direct message has no channel and lists its people (MSG-FIELD-3, 5, 7, 27; NOTE-14)', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [other.userId], content: 'hi' })
    for (const allow_empty_topic_name of [true, false]) {
      const { message } = await other.must('GET', `/messages/${id}`, { allow_empty_topic_name })
      assert.equal(message.type, 'private')
      assert.equal(message.subject, '')
      assert.ok(!('stream_id' in message))
      assert.deepEqual(message.display_recipient, [
        { id: member.userId, email: member.email, full_name: 'Max Member', is_mirror_dummy: false },
        { id: other.userId, email: other.email, full_name: 'Mia Member', is_mirror_dummy: false },
      ])
    }
  })

  test('apply_markdown: HTML by default and with true, Markdown with false (MSG-GET-2, MSG-GET-3, MSG-FIELD-11 to 14)', async () => {
    const member = (await parley()).as('member')
    const { id } = await member.must('POST', '/messages', {
      type: 'channel',
      to: 'general',
      topic: 'f',
      content: '*x*',
    })
    const of = async (parameters: Record<string, unknown>) => {
      const { message } = await member.must('GET', `/messages/${id}`, parameters)
      return [message.content, message.content_type]
    }
    assert.deepEqual(await of({}), ['<p><em>x</em></p>', 'text/html'])
    assert.deepEqual(await of({ apply_markdown: true }), await of({}))
    assert.deepEqual(await of({ apply_markdown: false }), ['*x*', 'text/x-markdown'])
  })

  test('the empty topic shows as its display name unless the client knows it (MSG-GET-4, MSG-GET-5, EMPTY-8 to 10)', async () => {
    const member = (await parley()).as('member')
    const { id } = await member.must('POST', '/messages', { type: 'channel', to: 'general', topic: '', content: 'x' })
    const subject = async (parameters: Record<string, unknown>) =>
      (await member.must('GET', `/messages/${id}`, parameters)).message.subject
    assert.equal(await subject({}), 'general chat')
    assert.equal(await subject({ allow_empty_topic_name: false }), 'general chat')
    assert.equal(await subject({ allow_empty_topic_name: true }), '')
  })

  test('unknown, impossible and invisible ids answer the same (MSG-GET-8 to MSG-GET-10)', async () => {
    const server = await parley()
    const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
    const direct = await owner.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'secret' })
    const hidden = await owner.must('POST', '/messages', {
      type: 'channel',
      to: 'leads',
      topic: 'x',
      content: 'secret',
    })
    const open = await owner.must('POST', '/messages', { type: 'channel', to: 'engineering', topic: 'x', content: 'x' })
    const answer = { result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' }
    for (const id of [direct.id, hidden.id, 999_999, 0, 9_007_199_254_740_991, '9007199254740993', '9'.repeat(40)]) {
      const { status, body } = await member.get(`/messages/${id}`)
      assert.deepEqual([status, body], [400, answer], String(id))
    }
    assert.deepEqual((await guest.get(`/messages/${open.id}`)).body, answer, 'guests read what they follow')
    assert.equal(
      (await server.as('admin').get(`/messages/${direct.id}`)).status,
      400,
      'nor do administrators read letters',
    )
  })

  test('protected history: who joins later does not read what was before; where it is shared, they do', async () => {
    const server = await parley()
    const [owner, late] = [server.as('owner'), server.as('member2')]
    for (const [shares, expected] of [
      [false, 400],
      [true, 200],
    ] as const) {
      const name = server.unique('Private')
      await owner.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        invite_only: true,
        history_public_to_subscribers: shares,
      })
      const { id } = await owner.must('POST', '/messages', { type: 'channel', to: name, topic: 'x', content: 'before' })
      await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [late.userId] })
      const after = await owner.must('POST', '/messages', { type: 'channel', to: name, topic: 'x', content: 'after' })
      assert.equal((await late.get(`/messages/${id}`)).status, expected)
      assert.equal((await late.get(`/messages/${after.id}`)).status, 200)
    }
  })

  test('what was sent before one came is historical and read (MSG-FIELD-28)', async () => {
    const server = await parley()
    const name = server.unique('Open')
    await server.as('owner').must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const { id } = await server
      .as('owner')
      .must('POST', '/messages', { type: 'channel', to: name, topic: 'x', content: 'x' })
    assert.deepEqual((await server.as('member').must('GET', `/messages/${id}`)).message.flags, ['read', 'historical'])
  })

  test('an id that is not an integer is another URL; a wrong boolean names the parameter (MSG-GET-1, ENV-5, ENV-19)', async () => {
    const member = (await parley()).as('member')
    assert.equal((await member.get('/messages/1x')).status, 404)
    assert.equal((await member.get('/messages/-1')).status, 404)
    assert.equal((await member.get('/messages/0001')).body.message.id, 1)
    assert.equal(
      (await member.get('/messages/1', { apply_markdown: 'yes' })).body.msg,
      'apply_markdown is not a boolean',
    )
  })

  test('unknown parameters are reported on success and on success only (ENV-11 to ENV-13, DIFF-IGNORED)', async () => {
    const member = (await parley()).as('member')
    const good = await member.get('/messages/1', { foo: 1, bar: 2, message_id: 7, apply_markdown: true })
    assert.deepEqual(good.body.ignored_parameters_unsupported, ['bar', 'foo', 'message_id'])
    assert.equal(good.body.message.id, 1)
    assert.ok(!('ignored_parameters_unsupported' in (await member.get('/messages/1')).body))
    assert.ok(!('ignored_parameters_unsupported' in (await member.get('/messages/999999', { foo: 1 })).body))
  })
})
