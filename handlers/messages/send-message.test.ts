import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, basic, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

/** Creates a channel for this test, owned by `maker`, with `others` in it. */
async function newChannel(
  server: TestServer,
  maker: ApiClient,
  others: readonly ApiClient[] = [],
  more: Record<string, unknown> = {},
): Promise<{ name: string; id: number }> {
  const name = server.unique('Channel')
  const principals = [maker, ...others].map((user) => user.userId)
  await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more })
  const { subscriptions } = await maker.must('GET', '/users/me/subscriptions')
  return { name, id: subscriptions.find((one: { name: string }) => one.name === name).stream_id }
}

async function sent(client: ApiClient, parameters: Record<string, unknown>) {
  const { id } = await client.must('POST', '/messages', { content: 'x', ...parameters })
  return read(client, id)
}

async function read(client: ApiClient, id: number) {
  const { message } = await client.must('GET', `/messages/${id}`, {
    allow_empty_topic_name: true,
    apply_markdown: false,
  })
  return message
}

const register = (client: ApiClient, parameters: Record<string, unknown> = {}) =>
  client.must('POST', '/register', { event_types: ['message'], fetch_event_types: [], ...parameters })

async function messageEvents(client: ApiClient, queue: { queue_id: string; last_event_id: number }) {
  const { queue_id, last_event_id } = queue
  return (await client.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events
}

onEachDatabase('POST /messages', (dialect) => {
  const parley = sharedParley(dialect)

  describe('to a channel', () => {
    test('take id, name, name without case, list of one, JSON string; types channel and stream (ENV-14)', async () => {
      const server = await parley()
      const member = server.as('member')
      const { name, id } = await newChannel(server, member)
      for (const type of ['channel', 'stream']) {
        for (const to of [id, String(id), name, name.toUpperCase(), [name], [id], JSON.stringify(name)]) {
          const message = await sent(member, { type, to, topic: 'forms' })
          assert.equal(message.stream_id, id, `${type} ${JSON.stringify(to)}`)
          assert.equal(message.display_recipient, name)
          assert.equal(message.type, 'stream')
        }
      }
    })

    test('a name of digits is addressed as a JSON string, plain digits are an id', async () => {
      const server = await parley()
      const member = server.as('member')
      await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: '987654' }] })
      const message = await sent(member, { type: 'channel', to: '"987654"', topic: 't' })
      assert.equal(message.display_recipient, '987654')
      const { body } = await member.post('/messages', { type: 'channel', to: '987654', topic: 't', content: 'x' })
      assert.equal(body.code, 'STREAM_DOES_NOT_EXIST')
      assert.equal(body.stream_id, 987654)
    })

    test('refuse lists of none and of several channels', async () => {
      const server = await parley()
      for (const to of [[], ['general', 'engineering'], [1, 2]]) {
        const { status, body } = await server
          .as('member')
          .post('/messages', { type: 'channel', to, topic: 't', content: 'x' })
        assert.equal(status, 400)
        assert.equal(body.code, 'BAD_REQUEST')
        assert.match(body.msg, /one channel/)
      }
    })

    test('name what does not exist: stream for names, stream_id for ids (STREAM_DOES_NOT_EXIST, ERR-4)', async () => {
      const member = (await parley()).as('member')
      const byName = await member.post('/messages', { type: 'channel', to: 'nowhere', topic: 't', content: 'x' })
      assert.equal(byName.status, 400)
      assert.deepEqual(byName.body, {
        result: 'error',
        msg: "Channel 'nowhere' does not exist",
        code: 'STREAM_DOES_NOT_EXIST',
        stream: 'nowhere',
      })
      const byId = await member.post('/messages', { type: 'channel', to: 99_999, topic: 't', content: 'x' })
      assert.deepEqual(byId.body, {
        result: 'error',
        msg: "Channel with ID '99999' does not exist",
        code: 'STREAM_DOES_NOT_EXIST',
        stream_id: 99_999,
      })
    })

    test('a private channel answers outsiders, guests in public ones too, as if it did not exist', async () => {
      const server = await parley()
      const hidden = await newChannel(server, server.as('owner'), [], { invite_only: true })
      const open = await newChannel(server, server.as('owner'))
      const cases = [
        { by: 'member', to: hidden },
        { by: 'guest', to: hidden },
        { by: 'guest', to: open },
      ]
      for (const { by, to } of cases) {
        const answer = await server.as(by).post('/messages', { type: 'channel', to: to.name, topic: 't', content: 'x' })
        assert.deepEqual(answer.body, {
          result: 'error',
          msg: `Channel '${to.name}' does not exist`,
          code: 'STREAM_DOES_NOT_EXIST',
          stream: to.name,
        })
      }
      const outsider = await server
        .as('member')
        .post('/messages', { type: 'channel', to: open.id, topic: 't', content: 'x' })
      assert.equal(outsider.status, 200, 'members may send to public channels that they do not follow')
    })

    test('refuse several values of to that are not one list, of which one would be left out', async () => {
      const member = (await parley()).as('member')
      const form = 'type=direct&to=1&to=2&content=x'
      const headers = { Authorization: basic(member.email, member.apiKey) }
      const body = new URLSearchParams(form)
      const { status, body: refusal } = await member.request('POST', '/messages', {}, { body, headers })
      assert.deepEqual([status, refusal.code], [400, 'BAD_REQUEST'])
      assert.match(refusal.msg, /^to was sent more than once/, 'DIFF-REPEATED-TO')
    })

    test('take subject for topic; refuse both (REQUEST_CONFUSING_VAR), and none (REQUEST_VARIABLE_MISSING, ENV-18)', async () => {
      const member = (await parley()).as('member')
      assert.equal((await sent(member, { type: 'stream', to: 'general', subject: 'old name' })).subject, 'old name')
      const both = await member.post('/messages', {
        type: 'stream',
        to: 'general',
        subject: 'a',
        topic: 'b',
        content: 'x',
      })
      assert.equal(both.body.code, 'REQUEST_CONFUSING_VAR')
      assert.deepEqual([both.body.var_name1, both.body.var_name2].toSorted(), ['subject', 'topic'])
      const none = await member.post('/messages', { type: 'stream', to: 'general', content: 'x' })
      assert.equal(none.body.code, 'REQUEST_VARIABLE_MISSING')
      assert.equal(none.body.var_name, 'topic')
    })

    test('normalize topics: trimmed, cut to 60 code points, display name is the empty topic (LIMIT-14, EMPTY-1)', async () => {
      const member = (await parley()).as('member')
      const topicOf = async (topic: string) => (await sent(member, { type: 'channel', to: 'general', topic })).subject
      assert.equal(await topicOf('  spaced  '), 'spaced')
      assert.equal(await topicOf('t'.repeat(60)), 't'.repeat(60))
      assert.equal(await topicOf('t'.repeat(61)), `${'t'.repeat(57)}...`)
      assert.equal(await topicOf('😀'.repeat(61)), `${'😀'.repeat(57)}...`)
      assert.equal(await topicOf('ᾯ'.repeat(60)), 'ᾯ'.repeat(60), 'the longest key of all')
      assert.equal(await topicOf(''), '')
      assert.equal(await topicOf('general chat'), '')
      assert.equal(await topicOf('(no topic)'), '', 'level 370')
      assert.equal(await topicOf('"quoted"'), '"quoted"', 'strings are raw: quotes stay (ENV-14)')
    })

    test('topics policy: a channel that wants a topic refuses the empty one and says its name', async () => {
      const server = await parley()
      const member = server.as('member')
      const strict = await newChannel(server, member, [], { topics_policy: 'disable_empty_topic' })
      const plain = await newChannel(server, member, [], { topics_policy: 'empty_topic_only' })
      const refused = await member.post('/messages', { type: 'channel', to: strict.id, topic: '', content: 'x' })
      assert.equal(refused.body.code, 'BAD_REQUEST')
      assert.equal(refused.body.empty_topic_display_name, 'general chat')
      assert.match(refused.body.msg, /general chat/)
      const named = await member.post('/messages', { type: 'channel', to: plain.id, topic: 'x', content: 'x' })
      assert.equal(named.body.empty_topic_display_name, 'general chat')
      assert.equal((await sent(member, { type: 'channel', to: plain.id, topic: '' })).subject, '')
    })
  })

  describe('directly', () => {
    test('take one id, ids, one address, addresses with commas, a list of them; types direct and private', async () => {
      const server = await parley()
      const [member, other, third] = [server.as('member'), server.as('member2'), server.as('admin')]
      const one = [other.userId]
      const two = [other.userId, third.userId]
      const forms: [unknown, number[]][] = [
        [other.userId, one],
        [one, one],
        [two, two],
        [other.email, one],
        [other.email.toUpperCase(), one],
        [`${other.email}, ${third.email}`, two],
        [`${other.email},${third.email},`, two],
        [[other.email, third.email], two],
        [JSON.stringify(other.email), one],
        [[other.userId, other.userId, member.userId], one],
      ]
      for (const type of ['direct', 'private']) {
        for (const [to, expected] of forms) {
          const message = await sent(member, { type, to })
          const ids = message.display_recipient.map((user: { id: number }) => user.id)
          const members = [member.userId, ...expected].toSorted((a, b) => a - b)
          assert.deepEqual(ids, members, `${type} ${JSON.stringify(to)}`)
          assert.equal(message.type, 'private')
        }
      }
    })

    test('a message to oneself', async () => {
      const member = (await parley()).as('member')
      const message = await sent(member, { type: 'direct', to: [member.userId] })
      assert.deepEqual(
        message.display_recipient.map((user: { id: number }) => user.id),
        [member.userId],
      )
    })

    test('the same people are one conversation, in whichever order and form (MSG-FIELD-25)', async () => {
      const server = await parley()
      const [member, other] = [server.as('member'), server.as('member2')]
      const first = await sent(member, { type: 'direct', to: [other.userId] })
      const answer = await sent(other, { type: 'private', to: member.email })
      assert.equal(first.recipient_id, answer.recipient_id)
    })

    test('name the recipient that is unknown, and refuse none', async () => {
      const server = await parley()
      const member = server.as('member')
      const send = async (to: unknown) => (await member.post('/messages', { type: 'direct', to, content: 'x' })).body
      assert.equal((await send('nobody@parley.example')).msg, "Invalid email 'nobody@parley.example'")
      assert.equal((await send([server.as('member2').userId, 99_999])).msg, 'Invalid user ID 99999')
      for (const to of [[], '', ' , ']) {
        const body = await send(to)
        assert.equal(body.code, 'BAD_REQUEST')
        assert.match(body.msg, /must have recipients/)
      }
    })

    test('at most 500 people, the sender among them, however often they are named', async () => {
      const member = (await parley()).as('member')
      const send = async (to: unknown) => (await member.post('/messages', { type: 'direct', to, content: 'x' })).body
      const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 100_000)
      const emails = (count: number) => ids(count).map((id) => `${id}@parley.example`)
      const upper = (list: readonly string[]) => list.map((email) => email.toUpperCase())
      const fitting = [
        [...ids(499), ...ids(499), member.userId],
        [...emails(499), ...upper(emails(499)), member.email, member.email.toUpperCase()],
      ]
      // These ids and addresses do not exist: lists within the limit are looked up, and nobody is found.
      for (const to of fitting) assert.match((await send(to)).msg, /^Invalid (user ID 100000|email '100000@)/)
      for (const to of [ids(500), emails(500), emails(500).join(','), [...ids(500), member.userId], ids(60_000)]) {
        assert.deepEqual(await send(to), {
          result: 'error',
          msg: 'A conversation has at most 500 people',
          code: 'BAD_REQUEST',
        })
      }
    })

    test('an address outside ASCII is found as it is compared (AUTH-20)', async () => {
      const server = await parley()
      const owner = server.as('owner')
      const email = 'ÄNNE@parley.example'
      const { user_id: id } = await owner.must('POST', '/users', {
        email,
        password: 'correct horse',
        full_name: 'Änne',
      })
      for (const to of ['änne@parley.example', 'A\u0308nne@PARLEY.example', ' ÄNNE@parley.example ']) {
        const message = await sent(owner, { type: 'direct', to })
        assert.ok(
          message.display_recipient.some((user: { id: number }) => user.id === id),
          to,
        )
      }
    })
  })

  describe('content', () => {
    test('normalized: ends trimmed, cut to 10,000 code points with a notice (LIMIT-15)', async () => {
      const member = (await parley()).as('member')
      const contentOf = async (content: string) =>
        (await sent(member, { type: 'channel', to: 'general', topic: 'lengths', content })).content
      assert.equal(await contentOf('\n\n  text  \n'), '  text')
      assert.equal(await contentOf('😀'.repeat(10_000)), '😀'.repeat(10_000))
      const cut = await contentOf('"'.repeat(10_001))
      assert.equal(cut.length, 10_000)
      assert.ok(cut.endsWith('\n[message truncated]'))
    })

    test('refuse empty and blank content, null bytes, a missing and a wrong type (ENV-18, ENV-20)', async () => {
      const member = (await parley()).as('member')
      const send = (parameters: Record<string, unknown>) =>
        member.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'x', ...parameters })
      for (const content of ['', ' \n\t ']) {
        assert.equal((await send({ content })).body.msg, 'Message must not be empty')
      }
      const withNull = await send({ content: 'a\0b' })
      assert.deepEqual([withNull.status, withNull.body.msg], [400, 'Message must not contain null bytes'])
      for (const character of ['\0', '\n']) {
        const { body } = await send({ topic: ` a${character}b` })
        assert.equal(body.msg, 'Invalid character in topic, at position 2!')
      }
      for (const name of ['type', 'to', 'content']) {
        const { body } = await send({ [name]: undefined })
        assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', name])
      }
      assert.equal((await send({ type: 'letter' })).body.msg, 'Invalid type')
      assert.equal((await send({ read_by_sender: 'perhaps' })).body.msg, 'read_by_sender is not a boolean')
    })
  })

  describe('flags and events', () => {
    test('mentions reach subscribers only, and stand in events and in what is read later (MSG-FIELD-28)', async () => {
      const server = await parley()
      const [member, other, outsider] = [server.as('member'), server.as('member2'), server.as('moderator')]
      const { id: to } = await newChannel(server, member, [other])
      const queue = await register(other)
      const { id } = await member.must('POST', '/messages', {
        type: 'channel',
        to,
        topic: 't',
        content: '@**Mia Member** and @**Mona Moderator**',
      })
      const [event] = await messageEvents(other, queue)
      assert.equal(event.message.id, id)
      assert.deepEqual(event.flags, ['mentioned'])
      assert.deepEqual((await read(other, id)).flags, ['mentioned'])
      assert.ok(!(await read(outsider, id)).flags.includes('mentioned'), 'not subscribed, not mentioned')
      assert.deepEqual((await read(member, id)).flags, ['read'], 'senders have read what they wrote')
    })

    test('wildcard flags imply wildcard_mentioned (MSG-FIELD-29)', async () => {
      const server = await parley()
      const [member, other] = [server.as('member'), server.as('member2')]
      const { id: to } = await newChannel(server, member, [other])
      await sent(other, { type: 'channel', to, topic: 'here' })
      const all = await sent(member, { type: 'channel', to, topic: 'here', content: '@**all**' })
      const topic = await sent(member, { type: 'channel', to, topic: 'here', content: '@**topic**' })
      assert.deepEqual((await read(other, all.id)).flags, ['stream_wildcard_mentioned', 'wildcard_mentioned'])
      assert.deepEqual((await read(other, topic.id)).flags, ['topic_wildcard_mentioned', 'wildcard_mentioned'])
    })

    test('emoticons become emoji where the sender wants it, when sent and when edited', async () => {
      const server = await parley()
      const user = await server.newUser()
      const rendered = async (id: number) => (await user.must('GET', `/messages/${id}`)).message.content
      const send = async () =>
        (await user.must('POST', '/messages', { type: 'direct', to: [user.userId], content: ':)' })).id
      const plain = await send()
      assert.equal(await rendered(plain), '<p>:)</p>')
      await user.must('PATCH', '/settings', { translate_emoticons: true })
      assert.match(await rendered(await send()), /class="emoji/)
      await user.must('PATCH', `/messages/${plain}`, { content: ':) !' })
      assert.match(await rendered(plain), /class="emoji/)
    })

    test('ids grow in the order of sending, also of many at once (MSG-FIELD-1, MSG-FIELD-2)', async () => {
      const member = (await parley()).as('member')
      const send = () => member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'x' })
      const first = await send()
      const together = await Promise.all(Array.from({ length: 20 }, send))
      const last = await send()
      const ids = together.map((one) => one.id)
      assert.equal(new Set(ids).size, 20)
      assert.ok(ids.every((id) => first.id < id && id < last.id))
    })
  })
})
