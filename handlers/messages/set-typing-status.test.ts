import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley, startParley, type TestServer } from '../../server/testing.ts'

interface Queue {
  readonly queue_id: string
  readonly last_event_id: number
}
const listen = (
  client: ApiClient,
  capabilities = ['stream_typing_notifications', 'empty_topic_name'],
): Promise<Queue> =>
  client.must('POST', '/register', {
    event_types: ['typing', 'typing_edit_message'],
    fetch_event_types: [],
    client_capabilities: Object.fromEntries(['notification_settings_null', ...capabilities].map((one) => [one, true])),
  })
async function heard(client: ApiClient, { queue_id, last_event_id }: Queue) {
  const { events } = await client.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
  return events.map(({ id, ...event }: { id: number }) => event)
}

async function newChannel(server: TestServer, people: readonly ApiClient[], more: Record<string, unknown> = {}) {
  const name = server.unique('Typing')
  const principals = people.map((one) => one.userId)
  await people[0]?.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more })
  const { subscriptions } = await (people[0] as ApiClient).must('GET', '/users/me/subscriptions')
  return { name, id: subscriptions.find((one: { name: string }) => one.name === name).stream_id }
}

const set = (server: TestServer, client: ApiClient, settings: object) =>
  server.inDatabase(async (session) =>
    session.run('update user set settings = ? where id = ?', [JSON.stringify(settings), client.userId]),
  )

onEachDatabase('typing notices', (dialect) => {
  const parley = sharedParley(dialect)

  describe('POST /typing', () => {
    test('of a direct message goes to all its people, and to nobody else', async () => {
      const server = await parley()
      const [member, other, third, owner] = ['member', 'member2', 'moderator', 'owner'].map((key) =>
        server.as(key),
      ) as [ApiClient, ApiClient, ApiClient, ApiClient]
      const people = [member, other, third]
      const queues = await Promise.all([...people, owner].map((one) => listen(one, [])))
      const to = [third.userId, other.userId]
      for (const op of ['start', 'stop']) {
        assert.deepEqual((await member.post('/typing', { op, to })).body, { result: 'success', msg: '' })
      }
      const wire = (one: ApiClient) => ({ user_id: one.userId, email: one.email })
      const event = {
        type: 'typing',
        message_type: 'direct',
        sender: wire(member),
        recipients: people.toSorted((a, b) => a.userId - b.userId).map(wire),
      }
      for (const [index, one] of people.entries()) {
        assert.deepEqual(await heard(one, queues[index] as Queue), [
          { ...event, op: 'start' },
          { ...event, op: 'stop' },
        ])
      }
      assert.deepEqual(await heard(owner, queues[3] as Queue), [])
    })

    test('in a channel goes to subscribers whose client understands it, topics as it knows them', async () => {
      const server = await parley()
      const [member, other, outsider] = [server.as('member'), server.as('member2'), server.as('moderator')]
      const { id: stream_id } = await newChannel(server, [member, other])
      const modern = await listen(other)
      const older = await listen(other, ['stream_typing_notifications'])
      const oldest = await listen(other, [])
      const theirs = await listen(outsider)
      for (const type of ['stream', 'channel']) {
        await member.must('POST', '/typing', { type, op: 'start', stream_id, topic: ' general chat ' })
      }
      const sender = { user_id: member.userId, email: member.email }
      const event = { type: 'typing', op: 'start', message_type: 'stream', sender, stream_id }
      assert.deepEqual(await heard(other, modern), [
        { ...event, topic: '' },
        { ...event, topic: '' },
      ])
      assert.deepEqual((await heard(other, older))[0], { ...event, topic: 'general chat' })
      assert.deepEqual(await heard(other, oldest), [])
      assert.deepEqual(await heard(outsider, theirs), [])
    })

    test('is refused without its parameters, by name', async () => {
      const server = await parley()
      const member = server.as('member')
      const cases: [Record<string, unknown>, string][] = [
        [{ op: 'start' }, "Missing 'to' argument"],
        [{ op: 'start', to: [] }, "Empty 'to' list"],
        [{ op: 'start', to: [999_999] }, 'Invalid user ID 999999'],
        [{ op: 'start', type: 'channel', topic: 'x' }, 'Missing channel ID'],
        [{ op: 'start', type: 'channel', stream_id: 1 }, 'Missing topic'],
        [{ op: 'start', type: 'channel', stream_id: 999_999, topic: 'x' }, 'Invalid channel ID'],
        [{ op: 'pause', to: [1] }, 'Invalid op'],
        [{ to: [1] }, "Missing 'op' argument"],
      ]
      for (const [parameters, said] of cases) {
        const { status, body } = await member.post('/typing', parameters)
        assert.equal(status, 400)
        assert.equal(body.msg, said)
      }
    })

    test('in the topic (no topic) is in the empty one (level 372)', async () => {
      const server = await parley()
      const [sender, other] = [await server.newUser(), await server.newUser()]
      const { id: stream_id } = await newChannel(server, [sender, other])
      const queue = await listen(other)
      await sender.must('POST', '/typing', { type: 'channel', op: 'start', stream_id, topic: '(no topic)' })
      const [event] = await heard(other, queue)
      assert.equal(event?.topic, '')
    })

    test('to a channel that one may not enter is to one that does not exist', async () => {
      const server = await parley()
      const { id } = await newChannel(server, [server.as('owner')], { invite_only: true })
      const { body } = await server
        .as('member')
        .post('/typing', { type: 'channel', op: 'start', stream_id: id, topic: 'x' })
      assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Invalid channel ID'])
    })

    test('who sends no notices is told so, who wants none gets none', async () => {
      const server = await parley()
      const [sender, deaf] = [await server.newUser(), await server.newUser()]
      const { id: stream_id } = await newChannel(server, [sender, deaf])
      const queue = await listen(deaf)
      await set(server, deaf, { receives_typing_notifications: false })
      const channel = { type: 'channel', op: 'start', stream_id, topic: 'x' }
      const direct = { op: 'start', to: [deaf.userId] }
      for (const notice of [channel, direct]) await sender.must('POST', '/typing', notice)
      assert.deepEqual(await heard(deaf, queue), [])
      await set(server, sender, { send_private_typing_notifications: false })
      assert.match((await sender.post('/typing', direct)).body.msg, /disabled typing notifications for direct/)
      assert.equal((await sender.post('/typing', channel)).status, 200)
      await set(server, sender, { send_stream_typing_notifications: false })
      assert.match((await sender.post('/typing', channel)).body.msg, /disabled typing notifications for channel/)
      assert.equal((await sender.post('/typing', direct)).status, 200)
    })

    test('in a channel of more than 100 subscribers reaches nobody', async () => {
      const server = await parley()
      const [member, other] = [server.as('member'), server.as('member2')]
      const { id: stream_id } = await newChannel(server, [member, other])
      const queue = await listen(other)
      const notice = { type: 'channel', op: 'start', stream_id, topic: 'x' }
      await fill(server, stream_id, 98)
      await member.must('POST', '/typing', notice)
      await fill(server, stream_id, 1)
      await member.must('POST', '/typing', notice)
      assert.equal((await heard(other, queue)).length, 1)
    })
  })

  /** Subscribes newly created accounts that nobody uses. */
  async function fill(server: TestServer, channelId: number, count: number): Promise<void> {
    await server.inDatabase(async ({ knex }) => {
      const [newest] = await knex('user').max({ id: 'id' })
      const ids = Array.from({ length: count }, (_, index) => newest?.id + index + 1)
      const [account] = await knex('user').where('id', 1)
      await knex('user').insert(
        ids.map((id) => ({
          ...account,
          id,
          email_key: `${id}@filler`,
          email: `${id}@filler`,
          api_key_hash: String(id),
        })),
      )
      const [row] = await knex('subscription').where('channel_id', channelId).limit(1)
      await knex('subscription').insert(ids.map((id) => ({ ...row, user_id: id })))
      await knex('channel').where('id', channelId).increment('subscriber_count', count)
    })
  }

  describe('POST /messages/{message_id}/typing', () => {
    test('tells the people who have the message, by its place', async () => {
      const server = await parley()
      const [member, other] = [server.as('member'), server.as('member2')]
      const { name, id: channel_id } = await newChannel(server, [member, other])
      const direct = await member.must('POST', '/messages', { type: 'direct', to: [other.userId], content: 'x' })
      const sent = await member.must('POST', '/messages', { type: 'channel', to: name, topic: '', content: 'x' })
      const queues = [await listen(other), await listen(other, [])] as const
      for (const { id } of [direct, sent]) {
        await member.must('POST', `/messages/${id}/typing`, { op: 'start' })
      }
      const event = { type: 'typing_edit_message', op: 'start', sender_id: member.userId }
      const toPeople = {
        ...event,
        message_id: direct.id,
        recipient: { type: 'direct', user_ids: [member.userId, other.userId].toSorted((a, b) => a - b) },
      }
      assert.deepEqual(await heard(other, queues[0]), [
        toPeople,
        { ...event, message_id: sent.id, recipient: { type: 'channel', channel_id, topic: '' } },
      ])
      assert.deepEqual(await heard(other, queues[1]), [toPeople])
    })

    test('is for whoever may edit the message, and in hidden history for whoever received it', async () => {
      const server = await parley()
      const [member, other, late] = [server.as('member'), server.as('member2'), server.as('moderator')]
      const hidden = { invite_only: true, history_public_to_subscribers: false }
      const { name } = await newChannel(server, [member, other], hidden)
      const { id } = await member.must('POST', '/messages', { type: 'channel', to: name, topic: 'x', content: 'x' })
      await member.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [late.userId],
      })
      const queues = await Promise.all([other, late].map((one) => listen(one)))
      await member.must('POST', `/messages/${id}/typing`, { op: 'stop' })
      assert.equal((await heard(other, queues[0] as Queue)).length, 1)
      assert.deepEqual(await heard(late, queues[1] as Queue), [])
      const foreign = await other.post(`/messages/${id}/typing`, { op: 'start' })
      assert.equal(foreign.body.msg, "You don't have permission to edit this message")
      const unseen = await late.post(`/messages/${id}/typing`, { op: 'start' })
      assert.equal(unseen.body.msg, 'Invalid message(s)')
    })
  })

  test('nobody is told of a direct message that may not be sent', async () => {
    const server = await startParley(dialect, {}, { direct_message_permission_group: 1 })
    try {
      const to = [server.as('member2').userId]
      const { body } = await server.as('member').post('/typing', { op: 'start', to })
      assert.equal(body.msg, 'Direct messages are disabled in this organization.')
    } finally {
      await server.stop()
    }
  })
})
