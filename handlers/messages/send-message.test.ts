import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, basic, onEachDatabase, sharedParley } from '../../server/testing.ts'

async function sent(client: ApiClient, parameters: Record<string, unknown>) {
  const { id } = await client.must('POST', '/messages', { topic: 't', content: 'x', ...parameters })
  const { message } = await client.must('GET', `/messages/${id}`, {
    allow_empty_topic_name: true,
    apply_markdown: false,
  })
  return message
}

onEachDatabase('POST /messages', (dialect) => {
  const parley = sharedParley(dialect)
  const answer = async (client: ApiClient, parameters: object) =>
    client.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'x', ...parameters })

  test('to a channel: Parley accepts additional forms of its name and ID', async () => {
    const server = await parley()
    const member = server.as('member')
    // Members may send to public channels that they do not follow.
    const { name, id } = await server.newChannel([server.as('owner')])
    for (const to of [String(id), name.toUpperCase(), [id], JSON.stringify(name)]) {
      assert.equal((await sent(member, { type: 'channel', to })).stream_id, id, JSON.stringify(to))
    }
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: '987654' }] })
    assert.equal((await sent(member, { type: 'channel', to: '"987654"' })).display_recipient, '987654')
    assert.equal((await answer(member, { to: '987654' })).body.stream_id, 987654, 'plain digits are an id')
  })

  test('to a channel: none, several, or one that does not exist', async () => {
    const member = (await parley()).as('member')
    for (const to of [[], ['general', 'engineering'], [1, 2]]) {
      const { status, body } = await answer(member, { to })
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
      assert.match(body.msg, /one channel/)
    }
    const refusal = { result: 'error', code: 'STREAM_DOES_NOT_EXIST' }
    const byName = { ...refusal, msg: "Channel 'nowhere' does not exist", stream: 'nowhere' }
    assert.deepEqual((await answer(member, { to: 'nowhere' })).body, byName)
  })

  test('to a channel: a topic is required, and stored up to the maximum length', async () => {
    const member = (await parley()).as('member')
    const { body } = await answer(member, { topic: undefined })
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Missing topic'])
    const topic = 'ᾯ'.repeat(60)
    const { subject } = await sent(member, { type: 'channel', to: 'general', topic })
    assert.equal(subject, topic, 'the longest key of all')
  })

  test('refuse several values of to that are not one list, because one would be ignored', async () => {
    const member = (await parley()).as('member')
    const body = new URLSearchParams('type=direct&to=1&to=2&content=x')
    const headers = { Authorization: basic(member.email, member.apiKey) }
    const { status, body: refusal } = await member.request('POST', '/messages', {}, { body, headers })
    assert.deepEqual([status, refusal.code], [400, 'BAD_REQUEST'])
    assert.match(refusal.msg, /^to was sent more than once/, 'DIFF-REPEATED-TO')
  })

  test('directly: Parley accepts additional forms of addresses and IDs', async () => {
    const server = await parley()
    const [member, other, third] = [server.as('member'), server.as('member2'), server.as('admin')]
    const { user_id: distant } = await server.as('owner').must('POST', '/users', {
      email: 'ÄNNE@parley.example',
      password: 'correct horse',
      full_name: 'Änne',
    })
    const forms: [unknown, number[]][] = [
      [`${other.email}, ${third.email}`, [other.userId, third.userId]],
      [`${other.email},${third.email},`, [other.userId, third.userId]],
      [JSON.stringify(other.email), [other.userId]],
      [[other.userId, other.userId, member.userId], [other.userId]],
      ['A\u0308nne@PARLEY.example', [distant]], // AUTH-20
      [' ÄNNE@parley.example ', [distant]],
    ]
    for (const [to, expected] of forms) {
      const message = await sent(member, { type: 'direct', to })
      const ids = message.display_recipient.map((user: { id: number }) => user.id)
      const members = [member.userId, ...expected].toSorted((a, b) => a - b)
      assert.deepEqual(ids, members, JSON.stringify(to))
    }
  })

  test('directly: name an unknown recipient, and refuse an empty list', async () => {
    const server = await parley()
    const refusal = async (to: unknown) => (await answer(server.as('member'), { type: 'direct', to })).body.msg
    assert.equal(await refusal('nobody@parley.example'), "Invalid email 'nobody@parley.example'")
    assert.equal(await refusal([server.as('member2').userId, 99_999]), 'Invalid user ID 99999')
    for (const to of [[], '', ' , ']) assert.equal(await refusal(to), 'Message must have recipients')
  })

  test('directly: at most 500 people, including the sender, however often they are named', async () => {
    const member = (await parley()).as('member')
    const send = async (to: unknown) => (await answer(member, { type: 'direct', to })).body
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
      assert.equal((await send(to)).msg, 'A conversation has at most 500 people')
    }
  })

  test('emoticons become emoji if the sender wants that, in new and edited messages', async () => {
    const user = await (await parley()).newUser()
    const rendered = async (id: number) => (await user.must('GET', `/messages/${id}`)).message.content
    const send = async () => (await sent(user, { type: 'direct', to: [user.userId], content: ':)' })).id
    const plain = await send()
    assert.equal(await rendered(plain), '<p>:)</p>')
    await user.must('PATCH', '/settings', { translate_emoticons: true })
    assert.match(await rendered(await send()), /class="emoji/)
    await user.must('PATCH', `/messages/${plain}`, { content: ':) !' })
    assert.match(await rendered(plain), /class="emoji/)
  })
})
