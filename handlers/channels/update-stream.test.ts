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

  test('whoever takes away their own permission has lost it when the answer arrives', async () => {
    const { maker, path } = await made()
    const denied = [400, 'BAD_REQUEST', 'You do not have permission to administer this channel.']
    assert.equal(await refusal(maker, path, { can_administer_channel_group: { new: NOBODY } }), 'done')
    assert.deepEqual(await refusal(maker, path, { description: 'New' }), denied)
  })

  test('what changes at once is told in one order, the older policy too, and what stays the same is not', async () => {
    const { server, maker, name, id, path } = await made()
    const [mine, guests] = [await heard(maker), await heard(server.as('guest'))]
    const renamed = `${name} anew`
    const parameters = {
      new_name: ` ${renamed} `,
      description: 'Shapes\nand colours ',
      topics_policy: 'disable_empty_topic',
      can_remove_subscribers_group: { new: MEMBERS, old: ADMINISTRATORS },
      can_send_message_group: { new: { direct_members: [], direct_subgroups: [MODERATORS] } },
    }
    await server.as('owner').must('PATCH', path, parameters)
    assert.deepEqual(
      (await mine()).map((event) => [event.stream_id, event.name, event.property, event.value]),
      [
        [id, name, 'description', 'Shapes and colours'],
        [id, name, 'name', renamed],
        [id, name, 'topics_policy', 'disable_empty_topic'],
        [id, name, 'can_remove_subscribers_group', MEMBERS],
        [id, name, 'can_send_message_group', MODERATORS],
        [id, name, 'stream_post_policy', 4],
      ],
    )
    const again = { ...parameters, new_name: undefined, can_remove_subscribers_group: { new: MEMBERS } }
    assert.equal(await refusal(server.as('owner'), path, again), 'done')
    assert.equal(await refusal(server.as('owner'), path, {}), 'done')
    assert.deepEqual([await mine(), await guests()], [[], []])
  })

  test('a name is checked like that of a new channel, and is nobody else’s', async () => {
    const { server, maker, name, path } = await made()
    const other = await made({}, maker)
    for (const [new_name, msg] of [
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
  })

  test('a channel made private hides its history from who comes later, until it is shared', async () => {
    const { server, maker, name, id, path } = await made()
    const { id: messageId } = (await send(maker, id)).body
    const queues = [await heard(maker), await heard(server.as('admin')), await heard(server.as('guest'))]
    assert.equal(await refusal(maker, path, { is_private: true }), 'done')
    const update = {
      ...{ type: 'stream', op: 'update', stream_id: id, name, property: 'invite_only', value: true },
      ...{ history_public_to_subscribers: false, is_web_public: false },
    }
    assert.deepEqual(await Promise.all(queues.map((queue) => queue())), [[update], [update], []])
    assert.equal((await send(server.as('member'), id)).body.code, 'STREAM_DOES_NOT_EXIST')
    const late = await server.newUser()
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [late.userId] })
    const read = async () => (await late.get(`/messages/${messageId}`)).status
    assert.equal(await read(), 400)
    assert.equal(await refusal(maker, path, { history_public_to_subscribers: true }), 'done')
    assert.equal(await read(), 200)
    assert.equal(await refusal(maker, path, { is_private: true }), 'done')
    assert.equal(await read(), 400)
    const impossible = await refusal(maker, path, { is_private: false, history_public_to_subscribers: false })
    assert.deepEqual(impossible, [400, 'BAD_REQUEST', 'Invalid parameters'])
  })

  test('administrators who cannot read a channel let nobody in, themselves included', async () => {
    const { server, path } = await made({ invite_only: true, history_public_to_subscribers: true })
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
    assert.deepEqual(await refusal(server.as('admin'), path, { message_retention_days: 10 }), [
      400,
      'UNAUTHORIZED_PRINCIPAL',
      'Must be an organization owner',
    ])
    assert.deepEqual(await refusal(maker, path, { is_default_stream: true }), [
      400,
      'BAD_REQUEST',
      'You do not have permission to change default channels.',
    ])
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

  test('default channels are public, and the list is told where it changes', async () => {
    const { server, path } = await made()
    const [admin, queue] = [server.as('admin'), await heard(server.as('member'))]
    for (const _ of [1, 2]) assert.equal(await refusal(admin, path, { is_default_stream: true }), 'done')
    const noPrivate = [400, 'BAD_REQUEST', 'A default channel cannot be private.']
    assert.deepEqual(await refusal(server.as('owner'), path, { is_private: true }), noPrivate)
    assert.equal(await refusal(admin, path, { is_default_stream: false, is_private: true }), 'done')
    assert.equal((await queue()).filter(({ type }) => type === 'default_streams').length, 2)
    assert.notEqual(await refusal(server.as('owner'), path, { is_default_stream: true }), 'done')
  })

  test('an archived channel comes back, for older clients as a new one, with nothing unread (STATE-OTHER-1)', async () => {
    const { server, maker, name, id, path } = await made()
    const reader = await server.newUser()
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [reader.userId] })
    await send(maker, id)
    await server.as('admin').must('DELETE', path)
    const older = { notification_settings_null: true }
    const queues = [await heard(reader, older), await heard(server.as('member'), older)]
    assert.equal(await refusal(maker, path, { is_archived: true }), 'done')
    for (const _ of [1, 2]) assert.equal(await refusal(maker, path, { is_archived: false }), 'done')
    const kinds = await Promise.all(queues.map(async (queue) => (await queue()).map(({ type, op }) => `${type} ${op}`)))
    assert.deepEqual(kinds, [
      ['stream create', 'subscription add', 'subscription peer_add'],
      ['stream create', 'subscription peer_add'],
    ])
    const { unread_msgs: unread } = await reader.must('POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    assert.ok(!unread.streams.some((one: { stream_id: number }) => one.stream_id === id))
  })
})
