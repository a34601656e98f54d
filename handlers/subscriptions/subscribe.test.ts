import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users/me/subscriptions', (dialect) => {
  const parley = sharedParley(dialect)

  const subscribe = (client: ApiClient, names: readonly string[], more: Record<string, unknown> = {}) =>
    client.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...more })
  async function register(client: ApiClient, event_types = ['stream', 'subscription']) {
    const { queue_id, last_event_id } = await client.must('POST', '/register', {
      event_types,
      fetch_event_types: [],
      client_capabilities: { notification_settings_null: true },
    })
    return async () => (await client.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events
  }
  const _kinds = (events: { type: string; op: string }[]) => events.map(({ type, op }) => `${type} ${op}`)
  const named = async (client: ApiClient, name: string) =>
    (await client.must('GET', '/users/me/subscriptions')).subscriptions.find(
      (one: { name: string }) => one.name === name,
    )

  describe('creating and joining', () => {
    test('a name is the same in other letters and with spaces around it; joining again tells nobody', async () => {
      const server = await parley()
      const member = server.as('member')
      const name = server.unique('Twice')
      const description = 'one\ntwo '
      const subscriptions = [{ name }, { name: name.toLowerCase() }, { name: ` ${name}`, description }]
      const principals = [member.userId, member.userId]
      const made = await member.must('POST', '/users/me/subscriptions', { subscriptions, principals })
      assert.deepEqual(made.subscribed, { [member.userId]: [name] })
      assert.equal((await named(member, name)).description, 'one two')
      const events = await register(server.as('owner'))
      const { body } = await subscribe(member, [` ${name.toUpperCase()} `])
      assert.deepEqual([body.subscribed, body.already_subscribed], [{}, { [member.userId]: [name] }])
      const nothing = await subscribe(member, [])
      assert.deepEqual([nothing.status, nothing.body.subscribed, nothing.body.already_subscribed], [200, {}, {}])
      assert.deepEqual(await events(), [])
      assert.equal((await subscribe(member, ['ᾯ'.repeat(60)])).status, 200, 'characters are counted, not bytes')
    })

    test('private channels protect their history unless told, public ones always share it (SUB-FIELD-32)', async () => {
      const server = await parley()
      const member = server.as('member')
      const name = server.unique('Protected')
      await subscribe(member, [name], { invite_only: true })
      assert.equal((await named(member, name)).history_public_to_subscribers, false)
      const impossible = await subscribe(member, [server.unique('No')], { history_public_to_subscribers: false })
      assert.deepEqual([impossible.status, impossible.body.code], [400, 'BAD_REQUEST'])
    })
  })

  describe('others', () => {
    test('unknown ones are named, and nothing is done', async () => {
      const server = await parley()
      const member = server.as('member')
      const name = server.unique('Nobody')
      for (const [principals, msg] of [
        [[member.userId, 99_999], 'No such user'],
        [['no@body.example'], 'No such user'],
      ] as const) {
        const { status, body } = await subscribe(member, [name], { principals })
        assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', msg])
      }
      const { streams } = await member.must('GET', '/streams')
      assert.ok(!streams.some((channel: { name: string }) => channel.name === name))
    })

    test('more than are looked up with one statement', async () => {
      const server = await parley()
      const principals = Array.from({ length: 15_000 }, (_, index) => index + 1000)
      const { status, body } = await subscribe(server.as('owner'), ['general'], { principals })
      assert.deepEqual([status, body.msg], [400, 'No such user'])
    })
  })

  describe('access', () => {
    test('people are told by a message to which channels others have subscribed them, and nothing is written there (DIFF-AUTOMATED)', async () => {
      const server = await parley()
      const [user, other, third] = [await server.newUser(), await server.newUser(), await server.newUser()]
      const bot = server.as('bot')
      const [own, odd] = [server.unique('Told'), server.unique('**Odd** > name')]
      await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: own }, { name: odd }] })
      const subscribe = (people: readonly { userId: number }[], more: object = {}) =>
        user.must('POST', '/users/me/subscriptions', {
          ...{ subscriptions: [{ name: own }, { name: odd }], principals: people.map(({ userId }) => userId) },
          ...more,
        })
      const direct = async (reader: ApiClient) => {
        const range = { anchor: 'newest', num_before: 5, num_after: 0, narrow: [['is', 'dm']], apply_markdown: false }
        const { messages } = await reader.must('GET', '/messages', range)
        return messages.map((one: { sender_full_name: string; content: string; flags: string[] }) => [
          one.sender_full_name,
          one.content,
          one.flags,
        ])
      }
      assert.equal((await subscribe([user, other, bot])).new_subscription_messages_sent, true)
      const { full_name, user_id } = await user.must('GET', '/users/me')
      const [told, ...more] = await direct(other)
      assert.deepEqual([told[0], told[2], more], ['Notification Bot', [], []])
      assert.ok(
        told[1].startsWith(`@_**${full_name}|${user_id}** subscribed you to the channels #**${own}**, [#Odd name`),
      )
      for (const reader of [user, bot]) assert.deepEqual(await direct(reader), [])
      // Existing subscribers, and initial subscribers of new channels, get no message.
      await subscribe([other])
      await subscribe([third], { subscriptions: [{ name: server.unique('New') }] })
      assert.ok(
        !('new_subscription_messages_sent' in (await subscribe([third], { send_new_subscription_messages: false }))),
      )
      assert.equal((await direct(other)).length, 1)
      assert.deepEqual(await direct(third), [])
      const narrow = [{ operator: 'channel', operand: own }]
      const { messages } = await user.must('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow,
      })
      assert.deepEqual(messages, [])
    })

    test('new channels are announced where the organization wants that, private ones are not; G11: without names that a guest may not know (DIFF-ANNOUNCED-PRIVATE)', async () => {
      const server = await parley()
      const [admin, user] = [server.as('admin'), await server.newUser()]
      const place = server.unique('Announcements')
      await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: place }] })
      const { stream_id } = await user.must('GET', '/get_stream_id', { stream: place })
      const name = 'new_stream_announcements_stream_id'
      const unknown = await admin.patch('/realm', { [name]: 999_999 })
      assert.deepEqual([unknown.body.code, unknown.body.msg], ['BAD_REQUEST', 'Invalid channel ID'])
      const announced = async () => {
        const narrow = [{ operator: 'channel', operand: stream_id }]
        const range = { anchor: 'newest', num_before: 9, num_after: 0, narrow, apply_markdown: false }
        const { messages } = await user.must('GET', '/messages', range)
        return messages.map((one: Record<string, unknown>) => [one.subject, one.content, one.flags])
      }
      const make = (more: object = {}) => {
        const [one, two] = [server.unique('One'), server.unique('Two')]
        const wanted = { subscriptions: [{ name: one }, { name: two }], announce: true, ...more }
        return user.must('POST', '/users/me/subscriptions', wanted).then(() => [one, two] as const)
      }
      await make()
      await admin.must('PATCH', '/realm', { [name]: stream_id })
      try {
        await make({ invite_only: true })
        await make({ announce: false })
        assert.deepEqual(await announced(), [])
        const { full_name, user_id } = await user.must('GET', '/users/me')
        const who = `@_**${full_name}|${user_id}** made`
        const [one, two] = await make()
        const third = server.unique('Third')
        await user.must('POST', '/channels/create', { name: third, subscribers: [], announce: true })
        assert.deepEqual(await announced(), [
          ['new channels', `${who} new channels: #**${one}**, #**${two}**.`, ['read']],
          ['new channels', `${who} a new channel: #**${third}**.`, ['read']],
        ])
        const guest = server.as('guest')
        const invite = (channel: string) =>
          user.must('POST', '/users/me/subscriptions', {
            subscriptions: [{ name: channel }],
            principals: [guest.userId],
          })
        await invite(place)
        await make()
        const known = server.unique('Known')
        const subscribers = [guest.userId]
        await user.must('POST', '/channels/create', { name: known, subscribers, announce: true })
        await user.must('POST', '/channels/create', { name: server.unique('X'), subscribers: [], announce: true })
        assert.deepEqual(
          (await announced()).slice(-3).map((one: readonly unknown[]) => one[1]),
          [`${who} 2 new channels.`, `${who} a new channel: #**${known}**.`, `${who} a new channel.`],
        )
        await admin.must('DELETE', `/streams/${stream_id}`)
        await make()
      } finally {
        await admin.must('PATCH', '/realm', { [name]: -1 })
      }
    })
  })

  test('refuse names and descriptions that cannot be, each with its reason; nothing is made', async () => {
    const server = await parley()
    const member = server.as('member')
    const cases: [unknown, RegExp][] = [
      [[{ name: ' ' }], /^Channel name can't be empty\.$/],
      [[{ name: 'x'.repeat(61) }], /^Channel name too long \(limit: 60 characters\)\.$/],
      [[{ name: 'a\nb' }], /^Invalid character in channel name, at position 2\.$/],
      [[{ name: 'fine', description: 'x'.repeat(1025) }], /^description is too long \(limit: 1024 characters\)$/],
      [
        Array.from({ length: 1001 }, (_, index) => ({ name: `n${index}` })),
        /^subscriptions is too long \(limit: 1000 items\)$/,
      ],
    ]
    for (const [subscriptions, reason] of cases) {
      const { status, body } = await member.post('/users/me/subscriptions', { subscriptions })
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
      assert.match(body.msg, reason)
    }
    const { streams } = await member.must('GET', '/streams')
    assert.ok(!streams.some((channel: { name: string }) => ['fine', 'n0'].includes(channel.name)))
  })

  test('refuse more subscriptions than others can wait for (DIFF-BULK)', async () => {
    const server = await parley()
    const names = Array.from({ length: 1000 }, (_, index) => `too many ${index}`)
    const principals = Array.from({ length: 21 }, (_, index) => index + 1)
    const { status, body } = await subscribe(server.as('owner'), names, { principals })
    assert.deepEqual(
      [status, body.msg],
      [400, 'Too many subscriptions at once (maximum 20000, principals times channels).'],
    )
    const many = await subscribe(server.as('owner'), [], { principals: Array(20_001).fill(1) })
    assert.deepEqual([many.status, many.body.msg], [400, 'principals is too long (limit: 20000 items)'])
  })
})
