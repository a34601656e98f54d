import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley, startParley, type TestServer } from '../../server/testing.ts'

async function send(client: ApiClient, more: Record<string, unknown> = {}): Promise<number> {
  const message = { type: 'channel', to: 'general', topic: 'd', content: 'x', ...more }
  return (await client.must('POST', '/messages', message)).id
}

async function newChannel(server: TestServer, people: readonly ApiClient[], more: Record<string, unknown> = {}) {
  const name = server.unique('Deletions')
  const principals = people.map((one) => one.userId)
  await people[0]?.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more })
  const { subscriptions } = await (people[0] as ApiClient).must('GET', '/users/me/subscriptions')
  return { name, id: subscriptions.find((one: { name: string }) => one.name === name).stream_id }
}

interface Queue {
  readonly queue_id: string
  readonly last_event_id: number
}
const listen = (client: ApiClient, capabilities: readonly string[] = []): Promise<Queue> =>
  client.must('POST', '/register', {
    event_types: ['delete_message', 'stream'],
    fetch_event_types: [],
    client_capabilities: Object.fromEntries(['notification_settings_null', ...capabilities].map((one) => [one, true])),
  })
async function heard(client: ApiClient, { queue_id, last_event_id }: Queue) {
  const { events } = await client.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
  return events.map(({ id, ...event }: { id: number }) => event)
}

const PERMISSION = "You don't have permission to delete this message"

onEachDatabase('DELETE /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('removes the message and all that refers to it, for everybody', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const id = await send(member, { content: '/poll @**Mia Member**?' })
    const { body } = await member.delete(`/messages/${id}`)
    assert.deepEqual(body, { result: 'success', msg: '' })
    for (const client of [member, other]) {
      assert.equal((await client.get(`/messages/${id}`)).body.msg, 'Invalid message(s)')
      assert.deepEqual((await client.must('GET', '/messages', { message_ids: [id] })).messages, [])
    }
    assert.equal((await member.delete(`/messages/${id}`)).body.msg, 'Invalid message(s)', 'once')
    await server.inDatabase(async (session) => {
      for (const table of ['message_flag', 'submessage', 'reaction', 'attachment_message']) {
        assert.deepEqual(await session.all(`select * from ${table} where message_id = ?`, [id]), [], table)
      }
    })
  })

  test('an unread message that was deleted is not unread any more', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), await server.newUser()]
    const { name } = await newChannel(server, [member, other])
    const id = await send(member, { to: name })
    const count = async () =>
      (await other.must('POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })).unread_msgs
        .count
    const before = await count()
    await member.must('DELETE', `/messages/${id}`)
    assert.equal(await count(), before - 1)
  })

  test('by people who may: administrators any, senders their own, owners those of their bots', async () => {
    const server = await parley()
    const [owner, admin, moderator, member, other, guest, bot] = [
      'owner',
      'admin',
      'moderator',
      'member',
      'member2',
      'guest',
      'bot',
    ].map((key) => server.as(key)) as [ApiClient, ApiClient, ApiClient, ApiClient, ApiClient, ApiClient, ApiClient]
    const { name } = await newChannel(server, [owner, admin, moderator, member, other, guest, bot])
    const cases = [
      { sender: member, by: admin, may: true },
      { sender: owner, by: admin, may: true },
      { sender: member, by: member, may: true },
      { sender: guest, by: guest, may: true },
      { sender: bot, by: bot, may: true },
      { sender: bot, by: owner, may: true },
      { sender: bot, by: member, may: false },
      { sender: member, by: other, may: false },
      { sender: member, by: moderator, may: false },
      { sender: member, by: bot, may: false },
    ]
    for (const { sender, by, may } of cases) {
      const id = await send(sender, { to: name })
      const { status, body } = await by.delete(`/messages/${id}`)
      assert.equal(status, may ? 200 : 400, `${by.email} of ${sender.email}`)
      if (!may) assert.equal(body.msg, PERMISSION)
    }
  })

  test('what one may not see does not exist, for administrators too', async () => {
    const server = await parley()
    const [member, admin] = [server.as('member'), server.as('admin')]
    const id = await send(member, { type: 'direct', to: [server.as('member2').userId] })
    const absent = await admin.delete('/messages/999999999')
    assert.deepEqual((await admin.delete(`/messages/${id}`)).body, absent.body)
    assert.equal(absent.body.msg, 'Invalid message(s)')
  })

  test("one's own for a while, any without a limit", async () => {
    const server = await parley()
    const [member, admin] = [server.as('member'), server.as('admin')]
    const id = await send(member)
    await server.inDatabase(async (session) =>
      session.run('update message set sent_at = sent_at - 620 where id = ?', [id]),
    )
    const { body } = await member.delete(`/messages/${id}`)
    assert.equal(body.msg, 'The time limit for deleting this message has passed')
    assert.equal((await admin.delete(`/messages/${id}`)).status, 200)
  })

  test('who a channel names may delete any message there, or their own', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const { name, id: channelId } = await newChannel(server, [member, other])
    await server.inDatabase(async (session) =>
      session.run('update channel set group_settings = ? where id = ?', [
        JSON.stringify({ can_delete_any_message_group: { direct_members: [other.userId], direct_subgroups: [] } }),
        channelId,
      ]),
    )
    const id = await send(member, { to: name })
    assert.equal((await other.delete(`/messages/${id}`)).status, 200)
    assert.equal((await other.delete(`/messages/${await send(member)}`)).body.msg, PERMISSION, 'elsewhere not')
  })

  test('organization and channel together say who may delete their own', async () => {
    const server = await startParley(dialect, {}, { can_delete_own_message_group: 1 })
    try {
      const [member, other] = [server.as('member'), server.as('member2')]
      const { name, id: channelId } = await newChannel(server, [member, other])
      assert.equal((await member.delete(`/messages/${await send(member, { to: name })}`)).body.msg, PERMISSION)
      await server.inDatabase(async (session) =>
        session.run('update channel set group_settings = ? where id = ?', [
          JSON.stringify({ can_delete_own_message_group: 6 }),
          channelId,
        ]),
      )
      const id = await send(member, { to: name })
      assert.equal((await other.delete(`/messages/${id}`)).body.msg, PERMISSION)
      assert.equal((await member.delete(`/messages/${id}`)).status, 200)
    } finally {
      await server.stop()
    }
  })

  describe('the event', () => {
    test('has a list or one id, and the topic, as the client understands them', async () => {
      const server = await parley()
      const [member, other] = [server.as('member'), server.as('member2')]
      const { name, id: stream_id } = await newChannel(server, [member, other])
      await send(member, { to: name, topic: '' })
      const id = await send(member, { to: name, topic: '' })
      const old = await listen(other)
      const modern = await listen(other, ['bulk_message_deletion', 'empty_topic_name'])
      await member.must('DELETE', `/messages/${id}`)
      const common = { type: 'delete_message', message_type: 'stream', stream_id }
      assert.deepEqual(await heard(other, old), [{ ...common, message_id: id, topic: 'general chat' }])
      assert.deepEqual(await heard(other, modern), [{ ...common, message_ids: [id], topic: '' }])
    })

    test('of a direct message goes to its people; in a channel also to whoever deleted it', async () => {
      const server = await parley()
      const [member, other, admin] = [server.as('member'), server.as('member2'), server.as('admin')]
      const direct = await send(member, { type: 'direct', to: [other.userId] })
      const { name, id: stream_id } = await newChannel(server, [member])
      await send(member, { to: name })
      const id = await send(member, { to: name })
      const [hers, theirs] = [await listen(other), await listen(admin)]
      await member.must('DELETE', `/messages/${direct}`)
      await admin.must('DELETE', `/messages/${id}`)
      assert.deepEqual(await heard(other, hers), [
        { type: 'delete_message', message_type: 'private', message_id: direct },
      ])
      assert.deepEqual(await heard(admin, theirs), [
        { type: 'delete_message', message_type: 'stream', message_id: id, stream_id, topic: 'd' },
      ])
    })

    test('takes the stars of those who hear nothing of it, because they see the message no more', async () => {
      const server = await parley()
      const [member, guest] = [server.as('member'), server.as('guest')]
      for (const invite_only of [false, true]) {
        const { name } = await newChannel(server, [member, guest], { invite_only })
        const id = await send(member, { to: name })
        const starred = { op: 'add', flag: 'starred', messages: [id] }
        for (const one of [member, guest]) await one.must('POST', '/messages/flags', starred)
        await server.as('owner').must('DELETE', '/users/me/subscriptions', {
          subscriptions: [name],
          principals: [guest.userId],
        })
        const types = ['starred_messages', 'delete_message', 'update_message_flags']
        const registered = (one: ApiClient) =>
          one.must('POST', '/register', { event_types: types, fetch_event_types: types })
        const [queue, own] = [await registered(guest), await registered(member)]
        assert.ok(queue.starred_messages.includes(id))
        await member.must('DELETE', `/messages/${id}`)
        const removed = { ...starred, op: 'remove', operation: 'remove', all: false }
        assert.deepEqual(await heard(guest, queue), [{ type: 'update_message_flags', ...removed }])
        assert.deepEqual(
          (await heard(member, own)).map(({ type }: { type: string }) => type),
          ['delete_message'],
        )
        assert.ok(!(await registered(guest)).starred_messages.includes(id))
      }
    })

    test('of the oldest message comes with the new first_message_id, to all who know the channel', async () => {
      const server = await parley()
      const [member, outsider] = [server.as('member'), server.as('member2')]
      const { name, id: stream_id } = await newChannel(server, [member])
      const first = await send(member, { to: name })
      const second = await send(member, { to: name })
      const queue = await listen(outsider)
      const update = { type: 'stream', op: 'update', stream_id, name, property: 'first_message_id' }
      await member.must('DELETE', `/messages/${first}`)
      await member.must('DELETE', `/messages/${second}`)
      assert.deepEqual(await heard(outsider, queue), [
        { ...update, value: second },
        { ...update, value: null },
      ])
      const { streams } = await outsider.must('GET', '/streams')
      assert.equal(streams.find((one: { name: string }) => one.name === name).first_message_id, null)
    })

    test('of a private channel reaches nobody who may not know it', async () => {
      const server = await parley()
      const [member, outsider, admin] = [server.as('member'), server.as('member2'), server.as('admin')]
      const { name } = await newChannel(server, [member], { invite_only: true })
      const id = await send(member, { to: name })
      const queues = [await listen(outsider), await listen(admin)] as const
      await member.must('DELETE', `/messages/${id}`)
      assert.deepEqual(await heard(outsider, queues[0]), [])
      const events = await heard(admin, queues[1])
      assert.deepEqual(
        events.map((event: { type: string }) => event.type),
        ['stream'],
        'administrators know the channel, not its messages',
      )
    })
  })

  test('a topic keeps its newest message in mind, and goes with its last one', async () => {
    const server = await parley()
    const member = server.as('member')
    const { name, id: channelId } = await newChannel(server, [member])
    const [first, second, third] = [
      await send(member, { to: name, topic: 't' }),
      await send(member, { to: name, topic: 't' }),
      await send(member, { to: name, topic: 't' }),
    ]
    const newest = async () => {
      let rows: { max_message_id: number }[] = []
      await server.inDatabase(async (session) => {
        rows = await session.all('select max_message_id from topic where channel_id = ?', [channelId])
      })
      return rows.map((row) => row.max_message_id)
    }
    await member.must('DELETE', `/messages/${second}`)
    assert.deepEqual(await newest(), [third])
    await member.must('DELETE', `/messages/${third}`)
    assert.deepEqual(await newest(), [first])
    await member.must('DELETE', `/messages/${first}`)
    assert.deepEqual(await newest(), [])
  })
})
