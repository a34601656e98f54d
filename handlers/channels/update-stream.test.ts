import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley, type TestServer } from '../../server/testing.ts'

const NOBODY = 1
const ADMINISTRATORS = 3
const MODERATORS = 4
const MEMBERS = 6
const KNOWING = { notification_settings_null: true, archived_channels: true }
const only = (...people: ApiClient[]) => ({ direct_members: people.map((one) => one.userId), direct_subgroups: [] })

interface Made {
  readonly server: TestServer
  readonly maker: ApiClient
  readonly name: string
  readonly id: number
  readonly path: string
}

onEachDatabase('PATCH /streams/{stream_id}', (dialect) => {
  const parley = sharedParley(dialect)

  async function made(parameters: Parameters = {}, maker?: ApiClient): Promise<Made> {
    const server = await parley()
    const by = maker ?? (await server.newUser())
    const name = server.unique('Changing')
    await by.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...parameters })
    const id = (await by.must('GET', '/get_stream_id', { stream: name })).stream_id
    return { server, maker: by, name, id, path: `/streams/${id}` }
  }

  /** Returns a function that returns the new events about channels and subscriptions. */
  async function heard(user: ApiClient, client_capabilities: object = KNOWING) {
    const { queue_id } = await user.must('POST', '/register', {
      event_types: ['stream', 'subscription', 'default_streams'],
      fetch_event_types: [],
      client_capabilities,
    })
    let last_event_id = -1
    return async (): Promise<Record<string, unknown>[]> => {
      const { events } = await user.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
      return events.map(({ id, ...event }: { id: number }) => {
        last_event_id = id
        return event
      })
    }
  }

  const refusal = async (user: ApiClient, path: string, parameters: Parameters) => {
    const { status, body } = await user.patch(path, parameters)
    return status === 200 ? 'done' : [status, body.code, body.msg]
  }
  const channelOf = async (user: ApiClient, path: string) => (await user.must('GET', path)).stream
  const send = (user: ApiClient, to: number, topic = 'x') =>
    user.post('/messages', { type: 'channel', to, topic, content: 'x' })

  test('administrators and who is named may, others not; a private channel is not even known', async () => {
    const open = await made()
    const { server, maker } = open
    const closed = await made({ invite_only: true }, maker)
    const denied = [400, 'BAD_REQUEST', 'You do not have permission to administer this channel.']
    const unknown = [400, 'BAD_REQUEST', 'Invalid channel ID']
    const change = () => ({ description: server.unique('New') })
    for (const [who, onOpen, onClosed] of [
      ['owner', 'done', 'done'],
      ['admin', 'done', 'done'],
      ['moderator', denied, unknown],
      ['member2', denied, unknown],
      ['bot', denied, unknown],
      ['guest', unknown, unknown],
    ] as const) {
      assert.deepEqual(await refusal(server.as(who), open.path, change()), onOpen, who)
      assert.deepEqual(await refusal(server.as(who), closed.path, change()), onClosed, who)
    }
    assert.equal(await refusal(maker, closed.path, change()), 'done')
    assert.deepEqual(await refusal(maker, '/streams/2000000000', { new_name: '' }), [
      400,
      'BAD_REQUEST',
      "Channel name can't be empty.",
    ])
    // Somebody who removes their own permission has lost it when the answer arrives.
    assert.equal(await refusal(maker, open.path, { can_administer_channel_group: { new: NOBODY } }), 'done')
    assert.deepEqual(await refusal(maker, open.path, change()), denied)
  })

  test('each setting is told to everybody who may know, once, and shows everywhere at once', async () => {
    const { server, maker, name, id, path } = await made()
    const [member, guest] = [server.as('member'), server.as('guest')]
    const queues = [await heard(maker), await heard(member), await heard(guest)]
    const renamed = `${name} anew`
    const parameters = {
      new_name: ` ${renamed} `,
      description: 'Shapes\nand **colours** ',
      topics_policy: 'disable_empty_topic',
      can_remove_subscribers_group: { new: MEMBERS, old: ADMINISTRATORS },
      can_send_message_group: { new: { direct_members: [], direct_subgroups: [MODERATORS] } },
    }
    assert.deepEqual((await server.as('owner').patch(path, parameters)).body, { result: 'success', msg: '' })
    const described = 'Shapes and **colours**'
    const rendered_description = '<p>Shapes and <strong>colours</strong></p>'
    const update = (property: string, value: unknown, more = {}) => ({
      ...{ type: 'stream', op: 'update', stream_id: id, name, property, value },
      ...more,
    })
    const expected = [
      update('description', described, { rendered_description }),
      update('name', renamed),
      update('topics_policy', 'disable_empty_topic'),
      update('can_remove_subscribers_group', MEMBERS),
      update('can_send_message_group', MODERATORS),
      update('stream_post_policy', 4),
    ]
    const [mine, members, guests] = await Promise.all(queues.map((queue) => queue()))
    assert.deepEqual(mine, expected)
    assert.deepEqual(members, expected)
    assert.deepEqual(guests, [])
    const channel = await channelOf(member, path)
    const own = (await maker.must('GET', '/users/me/subscriptions')).subscriptions[0]
    for (const one of [channel, own]) {
      assert.deepEqual(
        [one.name, one.description, one.rendered_description, one.topics_policy, one.stream_post_policy],
        [renamed, described, rendered_description, 'disable_empty_topic', 4],
      )
    }
    assert.equal((await member.get('/get_stream_id', { stream: name })).status, 400)
    assert.equal((await member.must('GET', '/get_stream_id', { stream: renamed.toUpperCase() })).stream_id, id)
    assert.equal((await send(maker, id)).status, 400, 'only moderators post')
    // The same values again: no change.
    const again = { ...parameters, new_name: undefined, can_remove_subscribers_group: { new: MEMBERS } }
    assert.equal(await refusal(server.as('owner'), path, again), 'done')
    assert.equal(await refusal(server.as('owner'), path, {}), 'done')
    assert.deepEqual(await queues[0]?.(), [])
  })

  test('a name is checked like that of a new channel, and is nobody else’s', async () => {
    const { server, maker, name, path } = await made()
    const other = await made({}, maker)
    for (const [new_name, msg] of [
      ['  ', "Channel name can't be empty."],
      ['x'.repeat(61), 'Channel name too long (limit: 60 characters).'],
      ['a\tb', 'Invalid character in channel name, at position 2.'],
      [name, 'Channel already has that name.'],
      [other.name.toUpperCase(), 'Channel name already in use.'],
    ] as const) {
      // Combined with a valid change, which is not made either.
      const refused = await refusal(maker, path, { new_name, description: server.unique('Never') })
      assert.deepEqual(refused, [400, 'BAD_REQUEST', msg])
    }
    assert.equal((await channelOf(maker, path)).description, '')
    assert.equal(await refusal(maker, path, { new_name: name.toUpperCase() }), 'done')
    assert.equal((await channelOf(maker, path)).name, name.toUpperCase())
    assert.deepEqual(await refusal(maker, path, { description: 'x'.repeat(1025) }), [
      400,
      'BAD_REQUEST',
      'description is too long (limit: 1024 characters)',
    ])
  })

  test('private: whoever loses sight of it sees it vanish and reads nothing more', async () => {
    const { server, maker, name, id, path } = await made()
    const [admin, member, guest] = [server.as('admin'), server.as('member'), server.as('guest')]
    const { id: messageId } = (await send(member, id)).body
    const queues = [await heard(maker), await heard(admin), await heard(member), await heard(guest)]
    const parked = member.must('POST', '/register', { event_types: ['stream'], fetch_event_types: [] })
    const { queue_id, last_event_id } = await parked
    const poll = member.must('GET', '/events', { queue_id, last_event_id })
    assert.equal(await refusal(maker, path, { is_private: true }), 'done')
    const vanished = { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }
    assert.equal((await poll).events[0].op, 'delete')
    const update = {
      ...{ type: 'stream', op: 'update', stream_id: id, name, property: 'invite_only', value: true },
      ...{ history_public_to_subscribers: false, is_web_public: false },
    }
    assert.deepEqual(await Promise.all(queues.map((queue) => queue())), [[update], [update], [vanished], []])
    assert.equal((await member.get(`/messages/${messageId}`)).status, 400)
    assert.equal((await maker.get(`/messages/${messageId}`)).status, 200)
    assert.equal((await member.get(path)).status, 400)
    assert.equal((await send(member, id)).body.code, 'STREAM_DOES_NOT_EXIST')
    // A new subscriber cannot read older messages until history is shared.
    const late = await server.newUser()
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [late.userId] })
    assert.equal((await late.get(`/messages/${messageId}`)).status, 400)
    assert.equal(await refusal(maker, path, { history_public_to_subscribers: true }), 'done')
    assert.equal((await late.get(`/messages/${messageId}`)).status, 200)
    assert.equal(await refusal(maker, path, { is_private: true }), 'done')
    assert.equal((await late.get(`/messages/${messageId}`)).status, 400)
  })

  test('public: whoever gains sight of it is told of it and its subscribers', async () => {
    const { server, maker, id, name, path } = await made({ invite_only: true })
    const [member, guest] = [server.as('member'), server.as('guest')]
    const { id: messageId } = (await send(maker, id)).body
    assert.deepEqual(await refusal(maker, path, { is_private: false, history_public_to_subscribers: false }), [
      400,
      'BAD_REQUEST',
      'Invalid parameters',
    ])
    const queues = [await heard(maker), await heard(member), await heard(guest)]
    assert.equal(await refusal(maker, path, { is_private: false }), 'done')
    const [mine, members, guests] = await Promise.all(queues.map((queue) => queue()))
    assert.deepEqual(
      mine?.map(({ property, value, history_public_to_subscribers: isShared }) => [property, value, isShared]),
      [['invite_only', false, true]],
    )
    const stream = await channelOf(member, path)
    assert.deepEqual(members, [
      { type: 'stream', op: 'create', streams: [stream] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [maker.userId] },
    ])
    assert.deepEqual(guests, [])
    assert.equal((await member.get(`/messages/${messageId}`)).status, 200)
    assert.equal((await member.post('/users/me/subscriptions', { subscriptions: [{ name }] })).status, 200)
  })

  test('whom a group setting lets into a private channel is told of it, and of its end', async () => {
    const { server, maker, id, path } = await made({ invite_only: true, history_public_to_subscribers: true })
    const member = server.as('member')
    const { id: messageId } = (await send(maker, id)).body
    const hear = await heard(member)
    const change = (value: unknown) => refusal(maker, path, { can_subscribe_group: value })
    assert.equal(await change({ new: only(maker, member) }), 'done')
    const ops = async () => (await hear()).map(({ type, op }) => `${type} ${op}`)
    assert.deepEqual(await ops(), ['stream create', 'subscription peer_add'])
    assert.equal((await member.get(`/messages/${messageId}`)).status, 200)
    assert.deepEqual(await change({ new: NOBODY, old: only(maker) }), [
      400,
      'EXPECTATION_MISMATCH',
      "'old' value does not match the expected value.",
    ])
    assert.equal(await change({ new: NOBODY, old: only(member, maker) }), 'done')
    assert.deepEqual(await ops(), ['stream delete'])
    assert.equal((await member.get(`/messages/${messageId}`)).status, 400)
    // Organization administrators who cannot read the channel cannot let anybody in, including themselves.
    const admin = server.as('admin')
    const denied = [400, 'BAD_REQUEST', 'Only those who may read a channel change who may.']
    for (const parameters of [
      { is_private: false },
      { history_public_to_subscribers: true },
      { can_subscribe_group: { new: only(admin) } },
      { can_add_subscribers_group: { new: only(admin) } },
    ]) {
      assert.deepEqual(await refusal(admin, path, parameters), denied)
    }
    assert.equal(await refusal(admin, path, { can_send_message_group: { new: MODERATORS } }), 'done')
  })

  test('settings that only some may change, whatever else they may', async () => {
    const { server, maker, path } = await made()
    const [owner, admin] = [server.as('owner'), server.as('admin')]
    const retention = { message_retention_days: 10 }
    assert.deepEqual(await refusal(admin, path, retention), [
      400,
      'UNAUTHORIZED_PRINCIPAL',
      'Must be an organization owner',
    ])
    assert.deepEqual(await refusal(maker, path, { is_default_stream: true }), [
      400,
      'BAD_REQUEST',
      'You do not have permission to change default channels.',
    ])
    assert.equal(await refusal(owner, path, retention), 'done')
    for (const [wanted, stored] of [
      [10, 10],
      ['"unlimited"', -1],
      ['realm_default', null],
    ] as const) {
      assert.equal(await refusal(owner, path, { message_retention_days: wanted }), 'done')
      assert.equal((await channelOf(maker, path)).message_retention_days, stored)
    }
    for (const wrong of [0, -1, 'forever']) {
      assert.notEqual(await refusal(owner, path, { message_retention_days: wrong }), 'done')
    }
    const refusedGroup = await refusal(owner, path, { can_remove_subscribers_group: { new: 7 } })
    assert.match(String(refusedGroup), /can_remove_subscribers_group/)
  })

  test('no channel can be read without an account (DIFF-WEB-PUBLIC)', async () => {
    const { server, id, path } = await made()
    const owner = server.as('owner')
    const refused = async (values: object) => String(await refusal(owner, path, { is_web_public: true, ...values }))
    assert.match(await refused({}), /Web-public channels are not enabled\./)
    assert.match(await refused({ is_private: true }), /Invalid parameters/)
    for (const call of ['/users/me/subscriptions', '/channels/create']) {
      const values = { name: 'Window', subscribers: [owner.userId], subscriptions: [{ name: 'Window' }] }
      const made = await owner.post(call, { ...values, is_web_public: true })
      assert.deepEqual([made.status, made.body.msg], [400, 'Web-public channels are not enabled.'])
      const hidden = await owner.post(call, { ...values, is_web_public: true, invite_only: true })
      assert.deepEqual([hidden.status, hidden.body.msg], [400, 'Invalid parameters'])
    }
    assert.equal((await owner.get('/get_stream_id', { stream: 'Window' })).status, 400)
    const everything = await owner.must('POST', '/register', { fetch_event_types: ['realm', 'realm_user'] })
    assert.equal(everything.server_web_public_streams_enabled, false)
    assert.equal(everything.can_create_web_public_streams, false)
    assert.equal(await refusal(server.as('owner'), path, { is_web_public: false }), 'done')
    assert.equal((await channelOf(server.as('owner'), path)).is_web_public, false)
    for (const unread of [
      `/users/me/${id}/topics`,
      `/streams/${id}`,
      '/streams',
      '/messages?num_before=1&num_after=0&anchor=newest',
    ]) {
      assert.equal((await fetch(`${server.url}/api/v1${unread}`)).status, 401, unread)
    }
  })

  test('default channels are public, and everybody but guests is told of the list', async () => {
    const { server, id, path } = await made()
    const admin = server.as('admin')
    const queues = [await heard(server.as('member')), await heard(server.as('guest'))]
    const lists = async () =>
      (await queues[0]?.())?.flatMap(({ type, default_streams: ids }) =>
        type === 'default_streams' ? [(ids as number[]).includes(id)] : [],
      )
    assert.equal(await refusal(admin, path, { is_default_stream: true }), 'done')
    assert.deepEqual(await lists(), [true])
    assert.deepEqual(await refusal(server.as('owner'), path, { is_private: true }), [
      400,
      'BAD_REQUEST',
      'A default channel cannot be private.',
    ])
    assert.equal(await refusal(admin, path, { is_default_stream: true }), 'done')
    assert.deepEqual(await lists(), [])
    assert.equal(await refusal(admin, path, { is_default_stream: false, is_private: true }), 'done')
    assert.deepEqual(await lists(), [false])
    assert.deepEqual(await queues[1]?.(), [])
    assert.notEqual(await refusal(server.as('owner'), path, { is_default_stream: true }), 'done')
  })

  test('only the empty topic: while nothing is in another one (SUB-FIELD-37)', async () => {
    const { server, maker, id, path } = await made()
    assert.equal((await send(maker, id, '')).status, 200)
    assert.equal(await refusal(maker, path, { topics_policy: 'empty_topic_only' }), 'done')
    assert.equal((await send(maker, id, 'named')).status, 400)
    assert.equal(await refusal(maker, path, { topics_policy: 'inherit' }), 'done')
    const { id: named } = (await send(maker, id, 'named')).body
    assert.notEqual(await refusal(maker, path, { topics_policy: 'empty_topic_only' }), 'done')
    await server.as('owner').must('DELETE', `/messages/${named}`)
    assert.equal(await refusal(maker, path, { topics_policy: 'empty_topic_only' }), 'done')
    assert.notEqual(await refusal(maker, path, { topics_policy: 'any' }), 'done')
  })

  test('an archived channel comes back, for every client, with nothing unread (STATE-OTHER-1)', async () => {
    const { server, maker, name, id, path } = await made()
    const [member, reader] = [server.as('member'), await server.newUser()]
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [reader.userId] })
    await send(maker, id)
    await server.as('admin').must('DELETE', path)
    const older = { notification_settings_null: true }
    const queues = [await heard(reader), await heard(reader, older), await heard(member, older)]
    assert.equal(await refusal(maker, path, { is_archived: true }), 'done')
    assert.equal((await send(reader, id)).status, 400)
    const readBefore = await channelOf(reader, path)
    assert.equal(readBefore.is_archived, true)
    assert.equal(await refusal(maker, path, { is_archived: false }), 'done')
    const [modern, mine, others] = await Promise.all(queues.map((queue) => queue()))
    const stream = await channelOf(reader, path)
    assert.deepEqual(modern, [
      { type: 'stream', op: 'update', stream_id: id, name, property: 'is_archived', value: false },
    ])
    const [own] = (await reader.must('GET', '/users/me/subscriptions')).subscriptions.filter(
      (one: { stream_id: number }) => one.stream_id === id,
    )
    const create = { type: 'stream', op: 'create', streams: [stream] }
    const add = { type: 'subscription', op: 'add', subscriptions: [{ ...own, subscribers: [] }] }
    const user_ids = [maker.userId, reader.userId].toSorted((a, b) => a - b)
    const peers = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids }
    assert.deepEqual(mine, [create, add, peers])
    assert.deepEqual(others, [create, peers])
    assert.equal((await send(reader, id)).status, 200)
    const { unread_msgs: unread } = await reader.must('POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    const ours = unread.streams.filter((one: { stream_id: number }) => one.stream_id === id)
    assert.deepEqual(ours, [])
    assert.equal(await refusal(maker, path, { is_archived: false }), 'done')
    assert.deepEqual(await queues[0]?.(), [])
  })
})
