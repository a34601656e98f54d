import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const ALWAYS = [
  'idle_queue_timeout_secs',
  'last_event_id',
  'queue_id',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
]

onEachDatabase('POST /register', (dialect) => {
  const parley = sharedParley(dialect)

  const register = (client: ApiClient, parameters: Record<string, unknown> = {}) =>
    client.must('POST', '/register', parameters)
  const fields = (body: Record<string, unknown>) =>
    Object.keys(body)
      .filter((name) => name !== 'result' && name !== 'msg' && !ALWAYS.includes(name))
      .toSorted()
  async function eventsOf(client: ApiClient, { queue_id, last_event_id }: { queue_id: string; last_event_id: number }) {
    return (await client.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events
  }

  describe('state (fetch_event_types)', () => {
    test('an empty list fetches nothing but the constants', async () => {
      const body = await register((await parley()).as('member'), { fetch_event_types: [] })
      assert.deepEqual(fields(body), [])
      assert.deepEqual(Object.keys(body).toSorted(), [...ALWAYS, 'msg', 'result'].toSorted())
      assert.deepEqual([body.zulip_feature_level, body.idle_queue_timeout_secs], [482, 600])
      assert.ok(Number.isInteger(body.last_event_id) && typeof body.queue_id === 'string')
    })

    test('each type brings its fields', async () => {
      const member = (await parley()).as('member')
      const of = async (...fetch_event_types: string[]) => fields(await register(member, { fetch_event_types }))
      assert.deepEqual(await of('message'), ['max_message_id'])
      assert.deepEqual(await of('message', 'update_message_flags'), ['max_message_id', 'unread_msgs'])
      assert.deepEqual(await of('stream'), ['streams'])
      assert.deepEqual(await of('subscription'), ['never_subscribed', 'subscriptions', 'unsubscribed'])
      const users = await of('realm_user')
      for (const name of ['realm_users', 'realm_non_active_users', 'cross_realm_bots', 'user_id', 'email', 'is_admin'])
        assert.ok(users.includes(name), name)
      const realm = await of('realm')
      for (const name of [
        'realm_name',
        'max_topic_length',
        'max_message_length',
        'event_queue_longpoll_timeout_seconds',
        'realm_empty_topic_display_name',
      ])
        assert.ok(realm.includes(name), name)
      assert.deepEqual(await of('unknown'), [])
    })

    test('without it those of event_types; null and nothing at all are everything', async () => {
      const member = (await parley()).as('member')
      assert.deepEqual(fields(await register(member, { event_types: ['message'] })), ['max_message_id'])
      const all = fields(await register(member))
      assert.deepEqual(fields(await register(member, { event_types: ['message'], fetch_event_types: null })), all)
      for (const name of ['realm_users', 'streams', 'subscriptions', 'unread_msgs', 'realm_name'])
        assert.ok(all.includes(name), name)
    })

    test('limits that clients keep to (LIMIT-4, 5, 9, 10, 14 to 17; EMPTY-2; AUTH-21)', async () => {
      const body = await register((await parley()).as('member'), { fetch_event_types: ['realm'] })
      const {
        max_topic_length,
        max_message_length,
        event_queue_longpoll_timeout_seconds,
        realm_empty_topic_display_name,
      } = body
      assert.deepEqual([max_topic_length, max_message_length, event_queue_longpoll_timeout_seconds], [60, 10_000, 90])
      assert.equal(realm_empty_topic_display_name, 'general chat')
      assert.deepEqual(
        [body.realm_message_content_edit_limit_seconds, body.realm_move_messages_within_stream_limit_seconds],
        [600, 604_800],
      )
    })

    test('channels: as GET /streams and GET /users/me/subscriptions have them', async () => {
      const member = (await parley()).as('member')
      const body = await register(member, {
        fetch_event_types: ['stream', 'subscription'],
        include_subscribers: 'true',
        client_capabilities: { notification_settings_null: true },
      })
      const { subscriptions } = await member.must('GET', '/users/me/subscriptions', { include_subscribers: 'true' })
      assert.deepEqual(body.subscriptions, subscriptions)
      assert.deepEqual(body.streams, (await member.must('GET', '/streams', { include_all: true })).streams)
      assert.deepEqual(body.unsubscribed, [])
      const known = [...body.subscriptions, ...body.never_subscribed].map(
        (channel: { stream_id: number }) => channel.stream_id,
      )
      assert.deepEqual(
        known.toSorted(),
        body.streams.map((channel: { stream_id: number }) => channel.stream_id).toSorted(),
      )
    })

    test('guests see what they follow, and no private channel of others', async () => {
      const body = await register((await parley()).as('guest'), {
        fetch_event_types: ['stream', 'subscription', 'realm_user'],
      })
      assert.deepEqual(
        body.streams.map((channel: { name: string }) => channel.name),
        ['general'],
      )
      assert.deepEqual(body.never_subscribed, [])
      assert.deepEqual([body.is_guest, body.is_admin, body.can_create_streams], [true, false, false])
    })

    test('unread messages by conversation, mentions apart', async () => {
      const server = await parley()
      const [owner, reader] = [server.as('owner'), await server.newUser('Reader')]
      const name = server.unique('Unread')
      await owner.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [owner.userId, reader.userId],
      })
      const send = async (parameters: Record<string, unknown>) =>
        (await owner.must('POST', '/messages', { content: 'x', ...parameters })).id
      const plain = await send({ type: 'channel', to: name, topic: 'a' })
      const mention = await send({ type: 'channel', to: name, topic: '', content: '@**Reader**' })
      const direct = await send({ type: 'direct', to: [reader.userId] })
      const group = await send({ type: 'direct', to: [reader.userId, server.as('member').userId] })
      const state = async (client_capabilities?: object) =>
        (await register(reader, { fetch_event_types: ['message', 'update_message_flags'], client_capabilities }))
          .unread_msgs
      const { pms, huddles, streams, mentions, count, old_unreads_missing } = await state()
      assert.deepEqual(pms, [{ other_user_id: owner.userId, sender_id: owner.userId, unread_message_ids: [direct] }])
      assert.deepEqual(
        huddles.map((one: { unread_message_ids: number[] }) => one.unread_message_ids),
        [[group]],
      )
      const topics = (list: { topic: string; unread_message_ids: number[] }[]) =>
        list.map((one) => [one.topic, one.unread_message_ids]).toSorted()
      assert.deepEqual(topics(streams), [
        ['a', [plain]],
        ['general chat', [mention]],
      ])
      assert.deepEqual([mentions, count, old_unreads_missing], [[mention], 4, false])
      const capable = await state({ notification_settings_null: true, empty_topic_name: true })
      assert.deepEqual(topics(capable.streams), [
        ['', [mention]],
        ['a', [plain]],
      ])
    })
  })

  describe('the queue', () => {
    test('event_types filters, and all events come without it', async () => {
      const server = await parley()
      const owner = server.as('owner')
      const [messages, all] = [await register(owner, { event_types: ['message'] }), await register(owner)]
      await server.newUser()
      await owner.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'x' })
      const types = async (queue: Parameters<typeof eventsOf>[1]) =>
        (await eventsOf(owner, queue)).map((event: { type: string }) => event.type)
      assert.deepEqual(await types(messages), ['message'])
      assert.deepEqual(await types(all), ['realm_user', 'user_group', 'user_group', 'message'])
    })

    test('formats: Markdown, pictures, the empty topic (NOTE-16, EV-OTHER-15)', async () => {
      const server = await parley()
      const member = server.as('member')
      const queues = []
      for (const parameters of [
        {},
        { apply_markdown: true },
        { client_gravatar: false },
        { client_capabilities: { notification_settings_null: true, empty_topic_name: true } },
      ]) {
        queues.push(await register(member, { event_types: ['message'], fetch_event_types: [], ...parameters }))
      }
      await member.must('POST', '/messages', { type: 'channel', to: 'general', topic: '', content: '*x*' })
      const seen = []
      for (const queue of queues) {
        const [{ message }] = await eventsOf(member, queue)
        seen.push([message.content, message.content_type, message.avatar_url === null, message.subject])
      }
      assert.deepEqual(seen, [
        ['*x*', 'text/x-markdown', true, 'general chat'],
        ['<p><em>x</em></p>', 'text/html', true, 'general chat'],
        ['*x*', 'text/x-markdown', false, 'general chat'],
        ['*x*', 'text/x-markdown', true, ''],
      ])
    })

    test('a message event is what GET /messages/{id} says', async () => {
      const server = await parley()
      const member = server.as('member')
      const queue = await register(member, {
        event_types: ['message'],
        fetch_event_types: [],
        apply_markdown: true,
        client_gravatar: false,
      })
      for (const to of [
        { type: 'channel', to: 'general', topic: 'same' },
        { type: 'direct', to: [server.as('member2').userId] },
      ]) {
        await member.must('POST', '/messages', { ...to, content: '**x** @**Max Member**' })
      }
      for (const { message, flags } of await eventsOf(member, queue)) {
        const { flags: fetchedFlags, ...fetched } = (await member.must('GET', `/messages/${message.id}`)).message
        assert.deepEqual(message, fetched)
        assert.deepEqual(flags, fetchedFlags)
      }
    })

    test('narrow filters messages and nothing else; what a queue cannot filter by is refused', async () => {
      const server = await parley()
      const [owner, member] = [server.as('owner'), server.as('member')]
      const queue = (narrow: unknown) =>
        register(member, { event_types: ['message', 'realm_user'], fetch_event_types: [], narrow })
      const queues = [
        await queue([['channel', 'engineering']]),
        await queue([
          ['stream', 'GENERAL'],
          ['topic', 'NARROW'],
        ]),
        await queue([['is', 'dm']]),
        await queue([['sender', owner.email]]),
        await queue([{ operator: 'is', operand: 'mentioned' }]),
        await queue([{ operator: 'is', operand: 'unread', negated: true }]),
        await queue([['is', 'resolved']]),
        await queue([
          { operator: 'channel', operand: 'general', negated: true },
          { operator: 'is', operand: 'dm', negated: true },
        ]),
      ]
      const send = (parameters: object) => owner.must('POST', '/messages', { content: 'x', ...parameters })
      const ids = {
        engineering: (await send({ type: 'channel', to: 'engineering', topic: 't' })).id,
        general: (await send({ type: 'channel', to: 'general', topic: 'narrow' })).id,
        mention: (await send({ type: 'channel', to: 'general', topic: 'other', content: '@**Max Member**' })).id,
        direct: (await send({ type: 'direct', to: [member.userId] })).id,
        resolved: (await send({ type: 'channel', to: 'general', topic: '✔ done' })).id,
        own: (await member.must('POST', '/messages', { type: 'channel', to: 'general', topic: 'own', content: 'x' }))
          .id,
      }
      await server.newUser()
      const seen = []
      for (const one of queues)
        seen.push(
          (await eventsOf(member, one)).map(
            (event: { type: string; message?: { id: number } }) => event.message?.id ?? event.type,
          ),
        )
      assert.deepEqual(seen, [
        [ids.engineering, 'realm_user'],
        [ids.general, 'realm_user'],
        [ids.direct, 'realm_user'],
        [ids.engineering, ids.general, ids.mention, ids.direct, ids.resolved, 'realm_user'],
        [ids.mention, 'realm_user'],
        [ids.own, 'realm_user'],
        [ids.resolved, 'realm_user'],
        [ids.engineering, 'realm_user'],
      ])
      for (const [narrow, operator] of [
        [[['is', 'followed']], 'is:followed'],
        [[['has', 'link']], 'has'],
        [[{ operator: 'dm', operand: 'x', negated: true }], 'dm'],
        [[['colour', 'red']], 'colour'],
      ] as const) {
        const { status, body } = await member.post('/register', { narrow })
        assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
        assert.equal(body.msg, `Operator ${operator} not supported.`)
      }
    })

    test('all_public_streams: public channels that one does not follow, not for guests', async () => {
      const server = await parley()
      const [owner, member] = [server.as('owner'), server.as('member')]
      const [open, closed] = [server.unique('Open'), server.unique('Closed')]
      await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: open }] })
      await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: closed }], invite_only: true })
      const [all, own] = [true, false].map((all_public_streams) =>
        register(member, { event_types: ['message'], all_public_streams }),
      )
      const queues = [await all, await own]
      const { id } = await owner.must('POST', '/messages', { type: 'channel', to: open, topic: 't', content: 'x' })
      await owner.must('POST', '/messages', { type: 'channel', to: closed, topic: 't', content: 'x' })
      const [seen, unseen] = [await eventsOf(member, queues[0]), await eventsOf(member, queues[1])]
      assert.deepEqual(
        seen.map((event: { message: { id: number } }) => event.message.id),
        [id],
      )
      assert.deepEqual(unseen, [])
      const { status, body } = await server.as('guest').post('/register', { all_public_streams: true })
      assert.deepEqual([status, body.msg], [400, 'User not authorized for this query'])
    })

    test('idle_queue_timeout: seconds, mobile, cut at a week; the older name too (level 481)', async () => {
      const member = (await parley()).as('member')
      const seconds = async (parameters: Record<string, unknown>) =>
        (await register(member, { fetch_event_types: [], ...parameters })).idle_queue_timeout_secs
      assert.equal(await seconds({ idle_queue_timeout: 1800 }), 1800)
      assert.equal(await seconds({ idle_queue_timeout: 'mobile' }), 43_200)
      assert.equal(await seconds({ idle_queue_timeout: 10 ** 9 }), 604_800)
      assert.equal(await seconds({ queue_lifespan_secs: 1200 }), 1200)
      assert.equal(await seconds({ queue_lifespan_secs: 0 }), 600)
      assert.equal(await seconds({ queue_lifespan_secs: 1200, idle_queue_timeout: 60 }), 60)
      assert.equal(
        (await member.post('/register', { idle_queue_timeout: 0 })).body.msg,
        'idle_queue_timeout is too small',
      )
      assert.equal(
        (await member.post('/register', { idle_queue_timeout: 'desktop' })).body.msg,
        'Invalid idle_queue_timeout',
      )
    })

    test('wrong values name their parameter', async () => {
      const member = (await parley()).as('member')
      for (const [parameters, msg] of [
        [{ event_types: 'message' }, 'event_types is not valid JSON'],
        [{ event_types: [5] }, 'event_types[0] is not a string'],
        [{ apply_markdown: 'x' }, 'apply_markdown is not a boolean'],
        [{ include_subscribers: 'x' }, 'Invalid include_subscribers'],
        [{ client_capabilities: [] }, 'client_capabilities is not a dict'],
        [
          { client_capabilities: { notification_settings_null: 1 } },
          'client_capabilities["notification_settings_null"] is not a boolean',
        ],
        [{ narrow: [5] }, 'narrow[0] is not a dict or a list'],
      ] as const) {
        const { status, body } = await member.post('/register', parameters)
        assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', msg])
      }
      const unknown = { client_capabilities: { notification_settings_null: true, from_the_future: true } }
      assert.equal((await member.post('/register', { ...unknown, fetch_event_types: [] })).status, 200)
    })

    test('parameters without effect are reported', async () => {
      const member = (await parley()).as('member')
      const withoutEffect = { client: 'x', user_client: 'x' }
      for (const body of [
        await register(member, { fetch_event_types: [], ...withoutEffect }),
        await member.must('GET', '/events', { event_types: ['message'], ...withoutEffect }),
      ]) {
        assert.deepEqual(body.ignored_parameters_unsupported.toSorted(), Object.keys(withoutEffect).toSorted())
      }
    })
  })
})
